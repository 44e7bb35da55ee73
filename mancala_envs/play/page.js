"use strict";
// The page displays the session of the server. The requests are described in server.py, the answers in view.py.

const $ = (id) => document.getElementById(id);
const make = (tag, content = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), content);
  element.append(...children);
  return element;
};

const PAUSE = 600; // Milliseconds between decisions of agents, so that people can follow them.
const SHORT_PAUSE = 60; // The same if sowing is shown "at once".
const TYPING_PAUSE = 900; // Milliseconds after which a key counts as typed, though longer keys begin with it.
const MAX_SOWING = 4000; // Maximum duration of a sowing animation in milliseconds.
const RINGS = { // Around spots, in units of the SVG; the ring of a hole is open below, where its number of seeds is.
  place: '<path class="ring" d="M-22 41.5A47 47 0 1 1 22 41.5"/>',
  point: '<circle class="ring" r="32"/>',
};

const LEADS = { // The same around the spots that a choice leads to.
  place: '<path class="leads" d="M-22 41.5A47 47 0 1 1 22 41.5"/>',
  point: '<circle class="leads" r="34"/>',
};

let session = null; // The latest description of the session.
let pastScene = null; // The scene shown from the history; null while the current board is shown.
let picked = []; // Spots clicked so far to select a choice.
let typed = ""; // What has been typed so far of the key of a choice.
let typing = 0; // Timer that plays the choice whose key is typed, though longer keys begin with it.
let previews = {}; // Where choices lead, by action, as far as it has been asked for.
let analysis = null; // The search result of the latest hint.
let animation = null; // Function that ends the running sowing animation; null if none is running.
let busy = 0; // Number of pending requests.
let running = false; // Whether a game between agents plays on automatically.
let held = false; // Whether an agent's decision was cancelled or failed; then only a button asks the agent again.
let shortcut = null; // The data of a `/skip` request to send as soon as nothing else is computed; null if none.
let evaluation = null; // The values of all positions from the latest analysis of the game; null if there was none.
let timer = 0; // Timer of the next automatic decision.
let home = null; // The spot or list that had the keyboard focus before the page changed.
let restoring = false; // Whether the focus returns there now.
let latest = 0; // Number of the latest request; answers to earlier ones are ignored.

// The server.

async function request(path, data) {
  $("error").textContent = "";
  busy++;
  updateButtons();
  let isLong = false;
  const waiting = setInterval(() => {
    if (!isLong) $("status").textContent = "Please wait…";
    isLong = true;
    showProgress();
  }, 700);
  try {
    const post = { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ revision: session?.revision, ...data }) };
    const answer = await fetch(path, data ? post : {}).catch(() => {
      throw new Error("The server of this page does not answer.");
    });
    const result = await answer.json();
    if (answer.ok) return result;
    if (answer.status === 409) await refresh();
    throw Object.assign(new Error(result.error), { status: answer.status });
  } finally {
    clearInterval(waiting);
    busy--;
    if (!busy) {
      $("cancel").hidden = true;
      $("progress").textContent = "";
    }
    if (isLong) showStatus();
    updateButtons();
  }
}

/** Show how far the server's computation is, and a button to cancel it. */
async function showProgress() {
  const progress = await fetch("/progress").then((answer) => answer.json()).catch(() => null);
  if (!busy) return;
  $("cancel").hidden = !progress;
  $("progress").textContent = progress ? progressInWords(progress) : "";
}

function progressInWords({ seconds, done, total, unit }) {
  const work = total ? `${done.toLocaleString("en")} of ${total.toLocaleString("en")}` : done.toLocaleString("en");
  return `${Math.round(seconds)} s` + (unit && `, ${work} ${unit}`);
}

/** Cancel the server's computation, if there is one. Resolves when it has ended. */
const cancel = () => fetch("/cancel", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });

const report = (where) => (error) => { $(where).textContent = error.message; showStatus(); };

async function refresh() {
  session = await (await fetch("/session")).json();
  pastScene = analysis = null;
  forget();
  show();
}

// Decisions.

async function decide(path, data = {}) {
  if (busy) return;
  const own = ++latest;
  saveFocus();
  interrupt();
  try {
    session = await request(path, data);
  } catch (error) {
    if (own !== latest) return;
    running = false;
    held = path === "/reply" && error.status !== 409;
    show();
    report("error")(error);
    return;
  }
  held = false;
  pastScene = analysis = null;
  forget();
  if (!["/undo", "/resign"].includes(path)) await animateSowing(session.scene);
  if (own === latest) show();
}

function continueAgents() {
  clearTimeout(timer);
  if (shortcut && !busy && !animation) {
    sendShortcut();
    return;
  }
  const isAgentsTurn = session && session.mover >= 0 && !session.choices.length;
  const isIdle = !pastScene && !busy && !animation && !document.querySelector("dialog[open]");
  if (!isAgentsTurn || !isIdle || held || !(session.people.length || running)) return;
  timer = setTimeout(() => decide("/reply"), Number($("pace").value) ? PAUSE : SHORT_PAUSE);
}

function interrupt() {
  clearTimeout(timer);
  animation?.();
}

async function hint() {
  if (busy || !session.choices.length) return;
  try {
    analysis = await request("/hint", {});
  } catch (error) {
    report("error")(error);
    return;
  }
  show();
}

// The board.

function draw(scene, picture = scene.pictures.length - 1) {
  $("board").innerHTML = scene.pictures[picture].map((line) => scene.lines[line]).join("\n");
  $("board").firstElementChild.style.minWidth = `${scene.min_width}px`;
  $("heading").textContent = scene.heading;
  $("throws").innerHTML = scene.throws.join("");
}

/** Animate a sowing; resolves when it is over or skipped. */
function animateSowing(scene) {
  const pace = Number($("pace").value);
  showExplanation(scene);
  const last = scene.pictures.length - 1;
  if (!last || !pace || matchMedia("(prefers-reduced-motion: reduce)").matches) return Promise.resolve();
  let picture = 0;
  $("skip").hidden = false;
  $("status").textContent = scene.explanation[0];
  for (const button of $("choices").querySelectorAll("button")) button.disabled = true;
  return new Promise((done) => {
    const interval = setInterval(next, Math.min(pace, MAX_SOWING / last));
    animation = () => {
      clearInterval(interval);
      animation = null;
      $("skip").hidden = true;
      draw(scene);
      done();
    };
    next();
    function next() {
      if (picture === last) return animation();
      draw(scene, picture++);
    }
  });
}

const spotElement = (spot) => $("board").querySelector(`[data-spot="${spot}"], [data-tray="${spot}"]`);

const allSpots = (choice) => [...choice.start, ...choice.end];

/** The spots to offer for a choice: first where it starts, then where it leads. */
const offered = (choice) => choice.start.length && !choice.start.some((spot) => picked.includes(spot))
  ? choice.start : choice.end.filter((spot) => !picked.includes(spot));

/** Let people select spots, mark those that the choices start from by rings, and show what the last move changed. */
function mark(scene) {
  const choices = pastScene ? [] : remaining();
  for (const spot of new Set(choices.flatMap(allSpots))) {
    spotElement(spot).onclick = () => pick(spot);
  }
  for (const spot of new Set([...choices.flatMap(offered), ...picked])) markSelectable(spot, choices);
  scrollToChoices();
  for (const spot of scene.lifted) addTo(spotElement(spot), '<path class="lifted" d="M-22 41.5A47 47 0 1 1 22 41.5"/>');
  for (const [spot, difference] of Object.entries(scene.changed)) addChange(spot, difference, "change");
}

/** Scroll a board that is wider than the screen, if all spots with choices are out of sight. */
function scrollToChoices() {
  const board = $("board").getBoundingClientRect();
  const middles = [...$("board").querySelectorAll(".selectable")].map((group) => group.getBoundingClientRect())
    .map((box) => box.x + box.width / 2);
  if (!middles.length || middles.some((x) => board.left < x && x < board.right)) return;
  $("board").scrollLeft += middles[0] - (board.left + board.right) / 2;
}

function markSelectable(spot, choices) {
  const group = spotElement(spot);
  const concerned = choices.filter((choice) => allSpots(choice).includes(spot));
  const label = concerned.length === 1 ? concerned[0].name : `${concerned.length} choices`;
  group.classList.add("selectable");
  group.classList.toggle("picked", picked.includes(spot));
  group.classList.toggle("best", concerned.some((choice) => choice.action === analysis?.action));
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "0");
  group.setAttribute("aria-label", `${group.querySelector("title").textContent}; ${label}`);
  addTo(group, RINGS[spot.split("-")[0]]);
  group.onclick = () => pick(spot);
  group.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); pick(spot); }
    if (event.key.startsWith("Arrow")) { event.preventDefault(); neighbour(group, event.key)?.focus(); }
  };
  if (concerned.length === 1) previewOn(group, concerned[0]);
}

/** Show on a badge by how much the number of pieces changed. */
function addChange(spot, difference, className) {
  if (!difference) return;
  addTo(spotElement(spot), `<g class="${className}" aria-hidden="true"><rect x="18" y="-50" width="34" height="21" rx="10.5"/>` +
    `<text x="35" y="-34">${difference > 0 ? "+" : "−"}${Math.abs(difference)}</text></g>`);
}

// Where a choice leads.

/** Show where a choice leads while the mouse or the focus, moved by a person, is on an element. */
function previewOn(element, choice) {
  let isOn = false;
  const on = async (event) => {
    // Neither a redrawn board under a mouse that rests nor a restored focus may cover the marks of the last move.
    if (restoring || (event.type === "mouseenter" && position(event) === mouse)) return;
    isOn = true;
    const found = await previewOf(choice).catch(() => null);
    if (isOn && found && element.isConnected) showPreview(choice, found);
  };
  const off = () => { isOn = false; hidePreview(); };
  element.addEventListener("mouseenter", on);
  element.addEventListener("focus", on);
  element.addEventListener("mouseleave", off);
  element.addEventListener("blur", off);
}

let mouse = ""; // Where the mouse is.
const position = (event) => `${event.clientX} ${event.clientY}`;
addEventListener("mousemove", (event) => { mouse = position(event); });

/** Where a choice leads; null if the game has gone on meanwhile. */
function previewOf({ action }) {
  if (previews.revision !== session.revision) previews = { revision: session.revision };
  return previews[action] ??= fetch(`/preview/${session.revision}/${action}`)
    .then((answer) => answer.ok ? answer.json() : null);
}

function showPreview(choice, { changed, last, words }) {
  hidePreview();
  $("board").classList.add("previewing");
  for (const spot of choice.start) spotElement(spot)?.classList.add("highlighted");
  for (const spot of [...choice.end, ...(last ? [last] : [])]) addTo(spotElement(spot), LEADS[spot.split("-")[0]]);
  for (const [spot, difference] of Object.entries(changed)) addChange(spot, difference, "change preview");
  $("preview").textContent = words ? `${choice.name}: ${words}` : "";
}

function hidePreview() {
  $("board").classList.remove("previewing");
  for (const element of $("board").querySelectorAll(".preview, .leads")) element.remove();
  for (const element of $("board").querySelectorAll(".highlighted")) element.classList.remove("highlighted");
  $("preview").textContent = "";
}

const addTo = (group, svg) => group.insertAdjacentHTML("beforeend", svg);

/** The nearest spot with choices in the direction of an arrow key. */
function neighbour(from, key) {
  const centre = (group) => {
    const box = group.querySelector(".ring").getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(from);
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let found = null;
  for (const group of $("board").querySelectorAll(".selectable")) {
    const [right, down] = [centre(group)[0] - x, centre(group)[1] - y];
    const [along, across] = [right * dx + down * dy, right * dy + down * dx];
    const distance = along + 2 * Math.abs(across);
    if (along > 1 && (!found || distance < found.distance)) found = { group, distance };
  }
  return found?.group;
}

/** The choices that concern all picked spots and begin with what has been typed. */
const remaining = () => (session?.choices ?? []).filter((choice) =>
  picked.every((spot) => allSpots(choice).includes(spot)) && isTyped(choice.key, typed));

/** Pick a spot to narrow the choices down; if none of them concerns it, start again with this spot. */
function pick(spot) {
  if (animation) return animation();
  typed = "";
  if (picked.includes(spot)) return showAll();
  saveFocus();
  for (const spots of [[...picked, spot], [spot]]) {
    picked = spots;
    if (remaining().length === 1) return decide("/act", { action: remaining()[0].action });
    if (remaining().length) return show();
  }
  showAll();
}

function showAll() {
  saveFocus();
  forget();
  show();
}

/** Forget what has been picked or typed. */
function forget() {
  clearTimeout(typing);
  picked = [];
  typed = "";
}

// Display.

function show() {
  const scene = pastScene ?? session.scene;
  draw(scene);
  mark(scene);
  $("title").textContent = document.title = session.title;
  showStatus();
  showChoices();
  showExplanation(scene);
  $("captions").textContent = scene.captions.join("\n");
  $("log").replaceChildren(...session.decisions.map((line, i) =>
    make("li", { textContent: line, ariaCurrent: i === scene.number - 1 ? "step" : null })));
  $("log").scrollTop = $("log").scrollHeight;
  showStanding();
  showCourse();
  updateButtons();
  restoreFocus();
  continueAgents();
}

function showExplanation(scene) {
  $("explanation").replaceChildren(...scene.explanation.map((line) => make("li", { textContent: line })));
}

/** Show who is to decide what; screen readers also hear what the last decision did. */
function showStatus() {
  if (!session) return;
  const current = session.mover < 0 ? session.result : `${session.players[session.mover]}: ${session.task}`;
  const history = pastScene && `History: after ${pastScene.number} of ${session.decisions.length} decisions`;
  const explanation = make("span", { className: "screen-reader-only", textContent: `${(pastScene ?? session.scene).explanation.join("; ")}. ` });
  $("status").replaceChildren(explanation, history ?? current);
  $("status").classList.toggle("over", session.mover < 0 && !pastScene);
}

const capitalise = (words) => words.charAt(0).toUpperCase() + words.slice(1);

function showChoices() {
  const choices = pastScene ? [] : remaining();
  $("choosing").hidden = !session.choices.length || Boolean(pastScene);
  $("task").textContent = capitalise(session.task);
  $("preview").textContent = "";
  $("choices").replaceChildren(...choices.map((choice) => {
    const button = make("button", {},
      make("kbd", { textContent: choice.key }),
      make("span", { className: "name", textContent: choice.name }),
      make("span", { className: "value", textContent: analysis?.values[choice.action] ?? "" }));
    button.onclick = () => decide("/act", { action: choice.action });
    previewOn(button, choice);
    return make("li", { className: choice.action === analysis?.action ? "best" : "" }, button);
  }));
  $("all").hidden = !picked.length && !typed;
  $("analysis").textContent = analysis
    ? `${analysis.agent} (${analysis.value}) expects: ${analysis.line.slice(0, 6).join("; ")}` : "";
}

// Keys of choices.

/** Whether a key begins with what has been typed; its hyphens may be left out. */
const isTyped = (key, typed) => key.startsWith(typed) || key.replaceAll("-", "").startsWith(typed);

/** Take a key press as the next character of a choice's key; return whether it is one. */
function typeKey(event) {
  if (event.key === "Enter" && typed && event.target.closest("button, [role=button]") === null) return playTyped();
  if (!/^[a-z0-9 -]$/.test(event.key) || pastScene) return false;
  const before = typed;
  typed += event.key === " " ? "-" : event.key;
  const found = remaining();
  if (!found.length || typed === "-") {
    typed = before;
    return false;
  }
  clearTimeout(typing);
  const isComplete = found.some((choice) => isWhole(choice));
  if (isComplete && found.length === 1) return playTyped();
  if (isComplete) typing = setTimeout(playTyped, TYPING_PAUSE);
  saveFocus();
  show();
  return true;
}

const isWhole = (choice) => choice.key === typed || choice.key.replaceAll("-", "") === typed;

/** Play the choice whose key is typed, or the only one whose key begins so; return whether there is one. */
function playTyped() {
  const found = remaining();
  const choice = found.length === 1 ? found[0] : found.filter(isWhole).length === 1 ? found.find(isWhole) : null;
  if (choice) decide("/act", { action: choice.action });
  return Boolean(choice);
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

/** Enable the buttons that can be used now. */
function updateButtons() {
  if (!session) return;
  const number = (pastScene ?? session.scene).number;
  const isWatched = !session.people.length && session.mover >= 0;
  for (const id of ["first", "back"]) $(id).disabled = busy > 0 || !number;
  for (const id of ["forth", "last"]) $(id).disabled = busy > 0 || number === session.decisions.length;
  $("undo").disabled = busy > 0 || (!session.decisions.length && session.mover >= 0); // A resignation can be undone, too.
  $("hint").disabled = busy > 0 || !session.choices.length || Boolean(pastScene);
  $("step").hidden = !isWatched && !held;
  $("run").hidden = !isWatched;
  $("run").setAttribute("aria-pressed", running);
  updateShortcuts();
  $("table").setAttribute("aria-busy", busy > 0);
}

// The end of a game, and shortcuts to it.

/** Start the same game again; `people` are the seats of people. */
const rematch = (people) => replaceSession("/new", { game: session.game, campaign: session.campaign, options: session.options,
  opponent: session.opponent, people }).catch(report("error"));

/** The seats of people if everybody moves on by one seat. */
const exchanged = () => session.people.map((player) => (player + 1) % session.seats);

/** Play on without pauses, at once or when the running request or animation has ended. */
function skipAhead(toEnd) {
  shortcut = { to_end: toEnd };
  interrupt();
  continueAgents();
}

async function sendShortcut() {
  const data = shortcut;
  const before = session.decisions.length;
  shortcut = null;
  if (session.mover < 0) return;
  await decide("/skip", data);
  const number = session.decisions.length - before;
  if (number > 0) $("progress").textContent = `${number} ${number === 1 ? "decision was" : "decisions were"} skipped; ◀ shows them.`;
  held = session.mover >= 0 && !session.choices.length; // It was cancelled.
  updateButtons();
}

function updateShortcuts() {
  const isOver = session.mover < 0;
  const areSomePeople = session.people.length > 0;
  $("ending").hidden = !isOver;
  $("rematch").disabled = $("exchange").disabled = busy > 0;
  $("exchange").hidden = !areSomePeople || session.people.length === session.seats;
  $("ahead").hidden = $("resign").hidden = isOver || !areSomePeople;
  $("ahead").disabled = !busy && session.choices.length > 0;
  $("to-end").hidden = isOver;
  $("resign").disabled = busy > 0;
  $("evaluate").disabled = busy > 0 || !session.decisions.length;
}

// The course of the game: a line through the values of all positions.

async function evaluate() {
  if (busy) return;
  interrupt();
  try {
    evaluation = await request("/evaluations", {});
  } catch (error) {
    report("error")(error);
    return;
  }
  show();
}

function showCourse() {
  $("course").hidden = !evaluation;
  if (!evaluation) return;
  const [number, last] = [shownNumber(), session.decisions.length];
  for (const each of [evaluation.values, evaluation.words]) each.splice(last + 1); // Undo has taken these back.
  const known = evaluation.values.flatMap((value, i) => value === null ? [] : [`${i} ${-value}`]);
  const path = (name, d) => `<path class="${name}" d="${d}"/>`;
  const [first, end] = [known[0], known.at(-1)].map((at) => parseInt(at ?? 0));
  $("line").innerHTML = `<svg viewBox="-.5 -1.05 ${last + 1} 2.1" preserveAspectRatio="none" role="img">` +
    (known.length ? path("area", `M${first} 0L${known.join("L")}L${end} 0Z`) + path("values", `M${known.join("L")}`) : "") +
    path("level", `M-.5 0H${last + .5}`) + path("here", `M${number} -1.05V1.05`) + "</svg>";
  const svg = $("line").firstChild;
  svg.setAttribute("aria-label", `Value of every position for ${evaluation.side}, by ${evaluation.agent}`);
  svg.onclick = (event) => {
    const box = svg.getBoundingClientRect();
    showScene(Math.floor((event.clientX - box.left) / box.width * (last + 1)));
  };
  $("value").textContent = `After ${number} of ${last} decisions: ${evaluation.words[number] || "no value"}`;
}

// Keyboard focus survives a redrawn board.

function saveFocus() {
  const here = document.activeElement;
  const spot = here?.closest?.("[data-spot]")?.dataset.spot;
  home = spot ? { spot } : here?.closest?.("#choices") ? { list: true } : home;
}

function restoreFocus() {
  if (!home || ![document.body, $("status")].includes(document.activeElement)) return;
  const same = home.spot ? spotElement(home.spot) : null;
  const target = same?.matches(".selectable") ? same : home.spot ? $("board").querySelector(".selectable") : $("choices").querySelector("button");
  restoring = true;
  (target ?? $("status")).focus();
  restoring = false;
  if (target) home = null;
}

// History.

async function showScene(number) {
  if (busy || number < 0 || number > session.decisions.length) return;
  const own = ++latest;
  interrupt();
  const isNext = number === (pastScene ?? session.scene).number + 1;
  let scene = number === session.decisions.length ? session.scene : null;
  try {
    scene ??= await request(`/scene/${number}`);
  } catch (error) {
    report("error")(error);
    return;
  }
  if (isNext) await animateSowing(scene);
  if (own !== latest) return;
  pastScene = scene === session.scene ? null : scene;
  show();
}

const shownNumber = () => (pastScene ?? session.scene).number;

function toggleRunning() {
  running = !running;
  held = false;
  updateButtons();
  continueAgents();
}

// Arrow keys step through the history, but between spots or within a list once Tab has moved the focus there.

let tabbed = false; // Whether Tab was used after the last click.

function stepByArrow(event) {
  if (event.key === "Tab") tabbed = true;
  const isElsewhere = event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")
    || event.target.matches("input, select, textarea") || (tabbed && event.target.closest("[data-spot], ul, ol"));
  if (!session || !$("keys").checked || isElsewhere) return;
  const [number, last] = [shownNumber(), session.decisions.length];
  const to = { ArrowLeft: number - 1, ArrowRight: number + 1, ArrowUp: 0, ArrowDown: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  showScene(to);
}

addEventListener("pointerdown", () => { tabbed = false; });
addEventListener("keydown", stepByArrow, true); // Before the spots, which also listen to arrow keys.

// Dialogs.

async function openNew() {
  interrupt();
  if (!$("new-game").length) {
    const games = await request("/games");
    $("new-game").replaceChildren(...games.map(({ game, names, title }) =>
      Object.assign(make("option", { value: game, textContent: title }), { names })));
  }
  $("new-game").value = [...$("new-game").options].find((option) => option.names.includes(session.game)).value;
  showOpponent();
  $("new-error").textContent = "";
  await showGame();
  $("new-campaign").checked = session.campaign;
  showOptions();
  $("new").showModal();
}

/** Select the opponent of the session in the list of agents, or show its name if it is not in the list. */
function showOpponent() {
  $("new-opponent").value = session.opponent;
  if ($("new-opponent").selectedIndex < 0) {
    $("new-opponent").value = "";
    $("new-agent").value = session.opponent;
  }
  $("new-agent-label").hidden = Boolean($("new-opponent").value);
}

let chosen = null; // Description of the game chosen in the dialog.

async function showGame() {
  chosen = await request(`/games/${$("new-game").value}`);
  $("new-campaign-label").hidden = !chosen.has_campaign;
  $("new-campaign").checked = false;
  const isSame = $("new-game").selectedOptions[0].names.includes(session.game);
  $("new-options").replaceChildren(...chosen.options.map((option) => {
    const given = isSame ? session.options[option.name] : undefined;
    const standard = JSON.stringify(option.default);
    const isOther = given !== undefined && JSON.stringify(given) !== standard;
    const field = option.choices.length
      ? make("select", {}, ...option.choices.map((choice) =>
        make("option", { value: JSON.stringify(choice), textContent: choice, selected: isOther ? choice === given : choice === option.default })))
      : make("input", { placeholder: standard, value: isOther ? JSON.stringify(given) : "", autocomplete: "off" });
    field.name = option.name;
    field.dataset.standard = standard;
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

/** The options that differ from their defaults. Throws if a value is not JSON. */
function options() {
  const given = {};
  for (const field of $("new-options").querySelectorAll("select, input")) {
    if (field.closest("label").hidden || !field.value || field.value === field.dataset.standard) continue;
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
    if (!/^\d*$/.test(seed)) throw new Error(`the random seed must be a whole number, got ${seed}`);
    await replaceSession("/new", {
      game: $("new-game").value,
      campaign: $("new-campaign").checked,
      options: options(),
      people: [...$("new-people").querySelectorAll(":checked")].map((box) => Number(box.value)),
      opponent: $("new-opponent").value || $("new-agent").value.trim(),
      seed: seed ? Number(seed) : null,
    });
    $("new").close();
  } catch (error) {
    report("new-error")(error);
  }
}

/** Replace the session by another game. */
async function replaceSession(path, data) {
  interrupt();
  latest++;
  if (busy) await cancel();
  session = await request(path, data);
  pastScene = analysis = home = null;
  forget();
  running = held = false;
  evaluation = shortcut = null;
  show();
}

function openShare() {
  interrupt();
  $("position").value = session.position;
  $("share-error").textContent = "";
  $("share").showModal();
}

async function openRules() {
  interrupt();
  $("page").innerHTML = (await request(`/games/${session.game}`)).rules; // The server escapes all text in it.
  $("rules-title").textContent = session.title;
  $("rules").showModal();
}

async function load() {
  const file = $("load").files[0];
  if (!file) return;
  const lines = (await file.text()).split("\n").filter((line) => line.trim());
  $("load").value = "";
  try {
    await replaceSession("/recording", { recording: lines.at(-1) ?? "" });
    $("share").close();
  } catch (error) {
    report("share-error")(error);
  }
}

// Controls.

$("skip").onclick = () => animation?.();
$("cancel").onclick = cancel;
$("undo").onclick = () => decide("/undo");
$("hint").onclick = hint;
$("all").onclick = showAll;
$("ahead").onclick = () => skipAhead(false);
$("to-end").onclick = () => skipAhead(true);
$("resign").onclick = () => decide("/resign");
$("rematch").onclick = () => rematch(session.people);
$("exchange").onclick = () => rematch(exchanged());
$("evaluate").onclick = evaluate;
$("step").onclick = () => { running = false; decide("/reply"); };
$("run").onclick = toggleRunning;
$("first").onclick = () => showScene(0);
$("back").onclick = () => showScene(shownNumber() - 1);
$("forth").onclick = () => showScene(shownNumber() + 1);
$("last").onclick = () => showScene(session.decisions.length);
$("open-new").onclick = () => openNew().catch(report("error"));
$("open-share").onclick = openShare;
$("open-rules").onclick = () => openRules().catch(report("error"));
$("new-game").onchange = () => showGame().catch(report("new-error"));
$("new-campaign").onchange = showOptions;
$("new-opponent").onchange = () => { $("new-agent-label").hidden = Boolean($("new-opponent").value); };
$("begin").onclick = begin;
$("copy").onclick = () => { $("position").select(); document.execCommand("copy"); };
$("set").onclick = () => replaceSession("/new", { position: $("position").value }).then(() => $("share").close(), report("share-error"));
$("load").onchange = load;
for (const dialog of document.querySelectorAll("dialog")) dialog.onclose = continueAgents;

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") return animation ? animation() : pastScene ? showScene(session.decisions.length) : showAll();
  if (!$("keys").checked || event.target.matches("input, select, textarea")) return;
  if (animation && /^[0-9]$/.test(event.key)) return animation();
  if (!busy && session && typeKey(event)) return event.preventDefault();
  if (event.key === "u" && !$("undo").disabled) return $("undo").click();
  if (event.key === "h" && !$("hint").disabled) return $("hint").click();
});

refresh().catch(report("error"));
