"use strict";
// The page shows what the server tells, see server.py and view.py.

const $ = (id) => document.getElementById(id);
const make = (tag, content = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), content);
  element.append(...children);
  return element;
};

const PAUSE = 600; // Milliseconds between decisions of agents, so that each is seen ...
const BRIEF = 60; // ... and where nobody wants to see it.
const LONGEST = 4000; // Milliseconds that a sowing takes at most.
const RINGS = { // Around spots, in units of the picture; open below, where the number of seeds stands.
  place: '<path class="ring" d="M-22 41.5A47 47 0 1 1 22 41.5"/>',
  point: '<circle class="ring" r="32"/>',
};

let session = null; // What the server told last.
let looking = null; // The scene that is looked back at, null where it is the game itself.
let picked = []; // Spots that were clicked on, of which there are several choices.
let opinion = null; // What a search thinks of the choices.
let film = null; // The sowing that is being shown: how to end it.
let busy = 0; // How many answers of the server are still to come.
let running = false; // Whether a game of agents goes on by itself.
let waiting = 0; // The timer until it goes on.
let home = null; // Where the keyboard was before the page changed.
let latest = 0; // The number of what was asked for last: what was asked for before has no say any more.

// The server.

async function ask(path, said) {
  $("error").textContent = "";
  busy++;
  enable();
  let isLong = false;
  const thinking = setTimeout(() => {
    isLong = true;
    $("status").textContent = "One moment…";
  }, 700);
  try {
    const post = { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ moment: session?.moment, ...said }) };
    const answer = await fetch(path, said ? post : {}).catch(() => {
      throw new Error("The program that this page belongs to does not answer.");
    });
    const told = await answer.json();
    if (answer.ok) return told;
    if (answer.status === 409) await refresh();
    throw new Error(told.error);
  } finally {
    clearTimeout(thinking);
    busy--;
    if (isLong) say();
    enable();
  }
}

const complain = (where) => (error) => { $(where).textContent = error.message; say(); };

async function refresh() {
  session = await (await fetch("/session")).json();
  looking = opinion = null;
  picked = [];
  show();
}

// Decisions.

async function decide(path, said = {}) {
  if (busy) return;
  const mine = ++latest;
  remember();
  halt();
  try {
    session = await ask(path, said);
  } catch (error) {
    running = false;
    show();
    complain("error")(error);
    return;
  }
  looking = opinion = null;
  picked = [];
  if (path !== "/undo") await sow(session.scene);
  if (mine === latest) show();
}

function goOn() {
  clearTimeout(waiting);
  const isAgents = session && session.mover >= 0 && !session.choices.length;
  const isFree = !looking && !busy && !film && !document.querySelector("dialog[open]");
  if (!isAgents || !isFree || !(session.people.length || running)) return;
  waiting = setTimeout(() => decide("/reply"), Number($("pace").value) ? PAUSE : BRIEF);
}

function halt() {
  clearTimeout(waiting);
  film?.();
}

async function hint() {
  if (busy || !session.choices.length) return;
  try {
    opinion = await ask("/hint", {});
  } catch (error) {
    complain("error")(error);
    return;
  }
  show();
}

// The board.

function draw(scene, picture = scene.pictures.length - 1) {
  $("board").innerHTML = scene.pictures[picture].map((line) => scene.lines[line]).join("\n");
}

/** A sowing, picture by picture, until it is over or skipped. */
function sow(scene) {
  const pace = Number($("pace").value);
  tell(scene);
  const last = scene.pictures.length - 1;
  if (!last || !pace || matchMedia("(prefers-reduced-motion: reduce)").matches) return Promise.resolve();
  let picture = 0;
  $("skip").hidden = false;
  $("status").textContent = scene.told[0];
  for (const button of $("choices").querySelectorAll("button")) button.disabled = true;
  return new Promise((done) => {
    const timer = setInterval(next, Math.min(pace, LONGEST / last));
    film = () => {
      clearInterval(timer);
      film = null;
      $("skip").hidden = true;
      draw(scene);
      done();
    };
    next();
    function next() {
      if (picture === last) return film();
      draw(scene, picture++);
    }
  });
}

const spotted = (spot) => $("board").querySelector(`[data-spot="${spot}"]`);

/** Rings around where something may be done, and how much was changed last. */
function mark(scene) {
  for (const spot of looking ? [] : new Set(left().flatMap((choice) => choice.spots))) {
    const group = spotted(spot);
    const choices = left().filter((choice) => choice.spots.includes(spot));
    const what = choices.length === 1 ? choices[0].name : `${choices.length} choices`;
    group.classList.add("can");
    group.classList.toggle("picked", picked.includes(spot));
    group.classList.toggle("best", choices.some((choice) => choice.action === opinion?.action));
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "0");
    group.setAttribute("aria-label", `${group.querySelector("title").textContent}; ${what}`);
    addTo(group, RINGS[spot.split("-")[0]]);
    group.onclick = () => pick(spot);
    group.onkeydown = (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(spot); }
      if (event.key.startsWith("Arrow")) { event.preventDefault(); neighbour(group, event.key)?.focus(); }
    };
  }
  for (const [spot, more] of Object.entries(scene.changed)) {
    if (!more) continue;
    addTo(spotted(spot), '<g class="change" aria-hidden="true"><rect x="18" y="-50" width="34" height="21" rx="10.5"/>' +
      `<text x="35" y="-34">${more > 0 ? "+" : "−"}${Math.abs(more)}</text></g>`);
  }
}

const addTo = (group, drawn) => group.insertAdjacentHTML("beforeend", drawn);

/** The nearest ring that way. */
function neighbour(from, key) {
  const middle = (group) => {
    const box = group.querySelector(".ring").getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let found = null;
  for (const group of $("board").querySelectorAll(".can")) {
    const [right, down] = [middle(group)[0] - x, middle(group)[1] - y];
    const [along, across] = [right * dx + down * dy, right * dy + down * dx];
    const far = along + 2 * Math.abs(across);
    if (along > 1 && (!found || far < found.far)) found = { group, far };
  }
  return found?.group;
}

/** The choices that are left by what was picked. */
const left = () => (session?.choices ?? []).filter((choice) => picked.every((spot) => choice.spots.includes(spot)));

/** A spot is clicked on: among what is left, else anew. */
function pick(spot) {
  if (film) return film();
  if (picked.includes(spot)) return all();
  remember();
  for (const spots of [[...picked, spot], [spot]]) {
    picked = spots;
    if (left().length === 1) return decide("/act", { action: left()[0].action });
    if (left().length) return show();
  }
  all();
}

function all() {
  remember();
  picked = [];
  show();
}

// What is seen.

function show() {
  const scene = looking ?? session.scene;
  draw(scene);
  mark(scene);
  $("title").textContent = document.title = session.title;
  say();
  list();
  tell(scene);
  $("captions").textContent = scene.captions.join("\n"); // Large boards are drawn too small to read them there.
  $("log").replaceChildren(...session.decisions.map((line, i) =>
    make("li", { textContent: line, ariaCurrent: i === scene.number - 1 ? "step" : null })));
  $("log").scrollTop = $("log").scrollHeight;
  showStanding();
  enable();
  comeHome();
  goOn();
}

function tell(scene) {
  $("told").replaceChildren(...scene.told.map((line) => make("li", { textContent: line })));
}

/** Who decides what; before that, for those who hear the page, what happened. */
function say() {
  if (!session) return;
  const now = session.mover < 0 ? upper(session.result) : `${session.players[session.mover]}: ${session.task}`;
  const then = looking && `Looking back: after ${looking.number} of ${session.decisions.length} decisions`;
  const heard = make("span", { className: "unseen", textContent: `${(looking ?? session.scene).told.join("; ")}. ` });
  $("status").replaceChildren(heard, then ?? now);
}

const upper = (words) => words.charAt(0).toUpperCase() + words.slice(1);

function list() {
  const choices = looking ? [] : left();
  $("choosing").hidden = !session.choices.length || Boolean(looking);
  $("task").textContent = upper(session.task);
  $("choices").replaceChildren(...choices.map((choice, i) => {
    const button = make("button", {},
      make("kbd", { textContent: i < 9 ? i + 1 : "", hidden: i > 8 }),
      make("span", { className: "name", textContent: choice.name }),
      make("span", { className: "worth", textContent: opinion?.values[choice.action] ?? "" }));
    button.onclick = () => decide("/act", { action: choice.action });
    const point = (on) => () => choice.spots.forEach((spot) => spotted(spot)?.classList.toggle("pointed", on));
    button.onmouseenter = button.onfocus = point(true);
    button.onmouseleave = button.onblur = point(false);
    return make("li", { className: choice.action === opinion?.action ? "best" : "" }, button);
  }));
  $("all").hidden = !picked.length;
  $("opinion").textContent = opinion
    ? `${opinion.agent} (${opinion.value}) would go on: ${opinion.line.slice(0, 6).join("; ")}` : "";
}

function showStanding() {
  const standing = session.standing;
  $("campaign").hidden = !standing;
  if (!standing) return;
  $("round").textContent = standing.round;
  $("standing").replaceChildren(...session.players.map((name, player) => {
    const debts = standing.debts.filter((debt) => debt.from === player);
    const owes = debts.map((debt) => `${debt.seeds} to player_${debt.to}`).join(", ") || "nothing";
    return make("tr", {}, make("th", { scope: "row", textContent: name }),
      ...[standing.owned[player], standing.worth[player], owes].map((cell) => make("td", { textContent: cell })));
  }));
}

/** What can be pressed now. */
function enable() {
  if (!session) return;
  const number = (looking ?? session.scene).number;
  const nobody = !session.people.length && session.mover >= 0;
  for (const id of ["first", "back"]) $(id).disabled = busy > 0 || !number;
  for (const id of ["forth", "last"]) $(id).disabled = busy > 0 || number === session.decisions.length;
  $("undo").disabled = busy > 0 || !session.decisions.length;
  $("hint").disabled = busy > 0 || !session.choices.length || Boolean(looking);
  $("step").hidden = !nobody;
  $("run").hidden = !nobody;
  $("run").setAttribute("aria-pressed", running);
  $("table").setAttribute("aria-busy", busy > 0);
}

// The keyboard goes on where it was.

function remember() {
  const here = document.activeElement;
  const spot = here?.closest?.("[data-spot]")?.dataset.spot;
  home = spot ? { spot } : here?.closest?.("#choices") ? { list: true } : home;
}

function comeHome() {
  if (!home || ![document.body, $("status")].includes(document.activeElement)) return;
  const again = home.spot ? spotted(home.spot) : null;
  const there = again?.matches(".can") ? again : home.spot ? $("board").querySelector(".can") : $("choices").querySelector("button");
  (there ?? $("status")).focus();
  if (there) home = null;
}

// Looking back.

async function look(number) {
  if (busy || number < 0 || number > session.decisions.length) return;
  const mine = ++latest;
  halt();
  const forth = number === (looking ?? session.scene).number + 1;
  let scene = number === session.decisions.length ? session.scene : null;
  try {
    scene ??= await ask(`/scene/${number}`);
  } catch (error) {
    complain("error")(error);
    return;
  }
  if (forth) await sow(scene);
  if (mine !== latest) return;
  looking = scene === session.scene ? null : scene;
  show();
}

const now = () => (looking ?? session.scene).number;

function run() {
  running = !running;
  enable();
  goOn();
}

// What opens.

async function openNew() {
  halt();
  if (!$("new-game").length) {
    const games = await ask("/games");
    $("new-game").replaceChildren(...games.map(({ game, title }) => make("option", { value: game, textContent: title })));
  }
  $("new-game").value = session.game;
  $("new-opponent").value = session.opponent;
  $("new-error").textContent = "";
  await showGame();
  $("new-campaign").checked = session.campaign;
  showOptions();
  $("new").showModal();
}

let chosen = null; // What is agreed on before the chosen game.

async function showGame() {
  chosen = await ask(`/games/${$("new-game").value}`);
  $("new-campaign-label").hidden = !chosen.has_campaign;
  $("new-campaign").checked = false;
  $("new-options").replaceChildren(...chosen.options.map((option) => {
    const given = chosen.game === session.game ? session.options[option.name] : undefined;
    const usual = JSON.stringify(option.default);
    const isOther = given !== undefined && JSON.stringify(given) !== usual;
    const field = option.choices.length
      ? make("select", {}, ...option.choices.map((choice) =>
        make("option", { value: JSON.stringify(choice), textContent: choice, selected: isOther ? choice === given : choice === option.default })))
      : make("input", { placeholder: usual, value: isOther ? JSON.stringify(given) : "", autocomplete: "off" });
    field.name = option.name;
    field.dataset.usual = usual;
    const label = make("label", {}, option.name, field, make("small", { textContent: option.choices.length ? "" : option.allowed }));
    label.dataset.campaign = option.of_campaigns;
    if (option.name === "players") field.onchange = showPeople;
    return label;
  }));
  showOptions();
  showPeople();
}

function showOptions() {
  for (const label of $("new-options").children) label.hidden = label.dataset.campaign === "true" && !$("new-campaign").checked;
}

function showPeople() {
  const players = Number($("new-options").querySelector("[name=players]")?.value) || chosen.players;
  $("new-people").replaceChildren(...Array.from({ length: players }, (_, player) =>
    make("label", {}, make("input", { type: "checkbox", value: player, checked: session.people.includes(player) }), ` player_${player}`)));
}

/** The options that are not as usual. Throws for what is no value. */
function options() {
  const given = {};
  for (const field of $("new-options").querySelectorAll("select, input")) {
    if (field.closest("label").hidden || !field.value || field.value === field.dataset.usual) continue;
    try {
      given[field.name] = JSON.parse(field.value);
    } catch {
      throw new Error(`${field.name}: ${field.value} is not a number or a list like [1, 2]`);
    }
  }
  return given;
}

async function begin(event) {
  event.preventDefault();
  try {
    const seed = $("new-seed").value.trim();
    await another("/new", {
      game: $("new-game").value,
      campaign: $("new-campaign").checked,
      options: options(),
      people: [...$("new-people").querySelectorAll(":checked")].map((box) => Number(box.value)),
      opponent: $("new-opponent").value.trim(),
      seed: seed ? Number(seed) : null,
    });
    $("new").close();
  } catch (error) {
    complain("new-error")(error);
  }
}

/** Another game in the place of this one. */
async function another(path, said) {
  halt();
  session = await ask(path, said);
  looking = opinion = home = null;
  picked = [];
  running = false;
  show();
}

function openShare() {
  halt();
  $("position").value = session.position;
  $("share-error").textContent = "";
  $("share").showModal();
}

async function openRules() {
  halt();
  $("page").textContent = (await ask(`/games/${session.game}`)).page;
  $("rules").showModal();
}

async function load() {
  const file = $("load").files[0];
  if (!file) return;
  const lines = (await file.text()).split("\n").filter((line) => line.trim());
  $("load").value = "";
  try {
    await another("/recording", { recording: lines.at(-1) ?? "" });
    $("share").close();
  } catch (error) {
    complain("share-error")(error);
  }
}

// What is pressed.

$("skip").onclick = () => film?.();
$("undo").onclick = () => decide("/undo");
$("hint").onclick = hint;
$("all").onclick = all;
$("step").onclick = () => { running = false; decide("/reply"); };
$("run").onclick = run;
$("first").onclick = () => look(0);
$("back").onclick = () => look(now() - 1);
$("forth").onclick = () => look(now() + 1);
$("last").onclick = () => look(session.decisions.length);
$("open-new").onclick = () => openNew().catch(complain("error"));
$("open-share").onclick = openShare;
$("open-rules").onclick = () => openRules().catch(complain("error"));
$("new-game").onchange = () => showGame().catch(complain("new-error"));
$("new-campaign").onchange = showOptions;
$("begin").onclick = begin;
$("copy").onclick = () => { $("position").select(); document.execCommand("copy"); };
$("set").onclick = () => another("/new", { position: $("position").value }).then(() => $("share").close(), complain("share-error"));
$("load").onchange = load;
for (const dialog of document.querySelectorAll("dialog")) dialog.onclose = goOn;

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") return film ? film() : looking ? look(session.decisions.length) : all();
  if (!$("keys").checked || event.target.matches("input, select, textarea")) return;
  if (event.key === "u" && !$("undo").disabled) return $("undo").click();
  if (event.key === "h" && !$("hint").disabled) return $("hint").click();
  if (/^[1-9]$/.test(event.key)) return film ? film() : $("choices").children[event.key - 1]?.firstChild.click();
});

refresh().catch(complain("error"));
