"""Programs that make figures of the documentation or files of the package.

Figures: `analyse`, `campaigns`, `baselines`, `against_open_spiel`, and `check`, the table of compliance suites. Files:
`experts` (networks), `standings` (chances of winning campaigns), `fair` (fair starts), `solved` (solved positions).
"""
