/** The page's style sheet. Colours: Okabe and Ito's, distinct for any colour vision; lighter on dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c1f23; --muted: #6a7078; --rule: #e3e5e8; --soft: #f4f5f7; --bar: #b4b8be;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b8578f; --c4: #c98a00; --c5: #3a9fd6; --c6: #5b5f66;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --ink: #e4e6e9; --muted: #989ea7; --rule: #2e3237; --soft: #1f2226; --bar: #5d636b;
    --c0: #4aa8e0; --c1: #f08033; --c2: #2fc49a; --c3: #e095bd; --c4: #e8b53a; --c5: #8fd0f5; --c6: #b4b9c0;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 28px 24px 40px; max-width: 1320px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 12px; overflow-wrap: anywhere; }
h2 { font-size: 20px; margin: 44px 0 8px; padding-top: 14px; border-top: 2px solid var(--ink); overflow-wrap: anywhere; }
h2 small { font-weight: 400; color: var(--muted); font-size: 15px; margin-left: 8px; }
h3 { font-size: 16px; margin: 28px 0 2px; }
h4 { font-size: 14px; font-weight: 600; margin: 10px 0 2px; }
h4 .swatch { margin-right: 6px; }
h5 { font-size: 13px; font-weight: 600; margin: 0; overflow-wrap: anywhere; }
p { margin: 4px 0 10px; max-width: 90ch; }
p.caption { color: var(--muted); font-size: 14px; max-width: 120ch; }
p.caption.next { margin-top: 20px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 18px; margin: 0; }
dt { color: var(--muted); } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.repeat { display: flex; gap: 8px; align-items: flex-start; } .repeat button { flex: none; }
.repeat code { background: var(--soft); border: 1px solid var(--rule); border-radius: 4px; padding: 3px 9px;
  user-select: all; white-space: pre-wrap; overflow-wrap: anywhere; }
button { font: inherit; font-size: 13px; line-height: 1.5; color: inherit; background: none; cursor: pointer;
  border: 1px solid var(--rule); border-radius: 4px; padding: 3px 10px; }
input, select { font: inherit; font-size: 13px; color: inherit; background: var(--paper); border: 1px solid var(--rule); border-radius: 4px; padding: 3px 8px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; line-height: 1.35; }
table.totals { margin-top: 10px; }
table.scores { width: 100%; margin-top: 10px; }
th, td { text-align: right; padding: 3px 7px; white-space: nowrap; font-weight: 400; vertical-align: baseline; }
thead th { color: var(--muted); font-size: 12px; padding-top: 1px; padding-bottom: 2px; }
thead th[title] { cursor: help; }
thead th.group { text-align: center; border-bottom: 1px solid var(--rule); }
th.name { text-align: left; }
th.name .swatch { margin-right: 7px; }
tbody { border-top: 1px solid var(--rule); }
thead + tbody { border-top: 1px solid var(--muted); }
tbody th[scope=rowgroup] { font-weight: 600; padding-right: 14px; vertical-align: top; white-space: normal; min-width: 6ch; }
tbody tr:first-child > * { padding-top: 6px; } tbody tr:last-child > * { padding-bottom: 6px; }
tr.trivial > * { color: var(--muted); }
tr.trivial th[scope=row] { padding-left: 36px; }
tbody th[rowspan] { color: var(--ink); }
abbr { text-decoration: underline dotted; text-underline-offset: 2px; cursor: help; }
sup { font-size: 10px; line-height: 0; margin-left: 1px; }
ol.notes { margin: 6px 0 0; padding-left: 22px; color: var(--muted); font-size: 12.5px; }
.swatch line { stroke-width: 2.5; }
.legend { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 2px 22px; margin: 22px 0 0; max-width: none;
  padding: 7px 0; background: var(--paper); border-bottom: 1px solid var(--rule); font-size: 14px; }
.legend .swatch { margin-right: 7px; }
.keys { display: flex; flex-wrap: wrap; gap: 2px 18px; font-size: 13px; }
.keys .swatch { margin-right: 6px; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(280px, 100%), 1fr)); gap: 12px 18px; }
.pair { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(340px, 100%), 1fr)); gap: 12px 32px; }
.panel { min-width: 0; }
.over { display: flex; justify-content: space-between; gap: 10px; min-height: 20px; }
.over output { font-size: 12px; color: var(--muted); font-variant-numeric: tabular-nums; white-space: nowrap; overflow: hidden; }
.over output b { font-weight: 600; margin-left: 8px; }
.empty { color: var(--muted); font-size: 13px; margin: 8px 0; }
.chart { display: block; width: 100%; height: auto; overflow: visible; }
.grid .chart { max-width: 340px; } .pair .chart { max-width: 460px; }
.chart text { font-size: 11.5px; fill: var(--ink); font-variant-numeric: tabular-nums; }
.chart text.tick, .chart text.unit, .chart text.muted { fill: var(--muted); }
.chart text.tick, .chart text.unit { font-size: 11px; }
.chart text.chosen { font-weight: 600; }
.chart .rule { stroke: var(--rule); }
.chart .bar { stroke-width: 2.5; opacity: .55; }
.chart circle { stroke-width: 2; } .chart circle.open { fill: var(--paper); }
.chart rect.plain { fill: var(--bar); } .chart rect.strong { fill: var(--c0); }
.key { display: inline-block; width: 10px; height: 10px; border: 2px solid var(--muted); border-radius: 50%; margin: 0 4px 0 10px; }
.key.full { background: var(--muted); }
details { margin-top: 14px; } summary { cursor: pointer; color: var(--muted); font-size: 14px; }
details table { margin-top: 8px; } details code { font-size: 12px; }
footer { margin-top: 44px; padding-top: 10px; border-top: 1px solid var(--rule); color: var(--muted); font-size: 13px; }
@media print { .legend { position: static; } button { display: none; } .panel { break-inside: avoid; } }
@media (max-width: 900px) { body { padding: 18px 14px; } th, td { padding-left: 4px; padding-right: 4px; } table { font-size: 12px; } thead th { font-size: 11px; }
  tr.trivial th[scope=row] { padding-left: 33px; } tbody th[scope=rowgroup] { padding-right: 8px; } }
`;
