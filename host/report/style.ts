import palette from "./palette.css" with { type: "text" };

/** The style sheet of every report. */
export const STYLE = `${palette}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 28px 24px 40px; max-width: 1320px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 12px; overflow-wrap: anywhere; }
h2 { font-size: 20px; margin: 44px 0 8px; padding-top: 14px; border-top: 2px solid var(--ink); overflow-wrap: anywhere; }
h2 small { font-weight: 400; color: var(--muted); font-size: 15px; margin-left: 8px; white-space: nowrap; }
h3 { font-size: 16px; margin: 28px 0 2px; }
h4 { font-size: 14px; font-weight: 600; margin: 14px 0 4px; }
h5 { font-size: 13px; font-weight: 600; margin: 0; overflow-wrap: anywhere; }
h5 .swatch { margin-right: 6px; }
p { margin: 4px 0 10px; max-width: 90ch; overflow-wrap: anywhere; }
p.caption { color: var(--muted); font-size: 14px; max-width: 120ch; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 18px; margin: 0; }
dt { color: var(--muted); } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.repeat { display: flex; gap: 8px; align-items: flex-start; } .repeat button { flex: none; }
.repeat code { background: var(--soft); border: 1px solid var(--rule); border-radius: 4px; padding: 3px 9px;
  user-select: all; white-space: pre-wrap; overflow-wrap: anywhere; }
button { font: inherit; font-size: 13px; line-height: 1.5; color: inherit; background: none; cursor: pointer;
  border: 1px solid var(--rule); border-radius: 4px; padding: 3px 10px; }
input, select { font: inherit; font-size: 13px; color: inherit; background: var(--paper); border: 1px solid var(--rule); border-radius: 4px; padding: 3px 8px; }
input[type=search] { margin: 4px 0 8px; }

.verdict { background: var(--soft); border-left: 4px solid var(--c2); border-radius: 4px; padding: 10px 18px; margin: 14px 0; }
.verdict h2 { font-size: 14px; color: var(--muted); font-weight: 400; margin: 0; padding: 0; border: 0; }
.verdict ul { margin: 0; padding-left: 20px; overflow-wrap: anywhere; }
.take { font-size: 20px; line-height: 1.35; font-weight: 600; margin: 4px 0 6px; }

.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; line-height: 1.35; margin-top: 10px; }
table.scores { width: 100%; }
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
.scores tr.trivial th[scope=row] { padding-left: 36px; }
tbody th[rowspan] { color: var(--ink); }
td.least { font-weight: 600; }
td.missed { color: var(--c1); font-weight: 600; }
td.text { white-space: normal; text-align: left; max-width: 60ch; }
.tall .wide { max-height: 420px; overflow: auto; } .tall thead th { position: sticky; top: 0; background: var(--paper); }
thead button { font: inherit; color: inherit; border: 0; padding: 0; white-space: nowrap; }
thead button::after { content: " \\2195"; opacity: .5; } [aria-sort=ascending] button::after { content: " \\2191"; opacity: 1; } [aria-sort=descending] button::after { content: " \\2193"; opacity: 1; }
abbr { text-decoration: underline dotted; text-underline-offset: 2px; cursor: help; }
sup { font-size: 10px; line-height: 0; margin-left: 1px; }
ol.notes { margin: 6px 0 0; padding-left: 22px; color: var(--muted); font-size: 12.5px; }

.swatch line { stroke-width: 2.5; }
.legend { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 2px 22px; margin: 22px 0 0; max-width: none;
  padding: 7px 0; background: var(--paper); border-bottom: 1px solid var(--rule); font-size: 14px; }
.legend .swatch { margin-right: 7px; }
.keys { display: flex; flex-wrap: wrap; gap: 2px 18px; font-size: 13px; }
.keys .swatch { margin-right: 6px; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(250px, 100%), 1fr)); gap: 12px 18px; }
.pair { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(400px, 100%), 1fr)); gap: 12px 32px; margin-bottom: 18px; }
.results { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0 40px; } .results .pair { flex: 1 1 460px; min-width: min(460px, 100%); margin-top: 10px; }
.panel { min-width: 0; margin-bottom: 8px; }
.over { display: flex; justify-content: space-between; gap: 10px; min-height: 20px; }
.over output { font-size: 12px; color: var(--muted); font-variant-numeric: tabular-nums; white-space: nowrap; overflow: hidden; }
.over output b { font-weight: 600; margin-left: 8px; }
.empty { color: var(--muted); font-size: 13px; margin: 8px 0; }

.chart { display: block; width: 100%; height: auto; overflow: visible; max-width: 640px; }
.wide .chart { min-width: 620px; }
svg text { font-size: 11.5px; fill: var(--ink); font-variant-numeric: tabular-nums; }
svg text.tick, svg text.unit { font-size: 11px; fill: var(--muted); }
svg text.chosen { font-weight: 600; }
svg text.beside { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
svg .rule { stroke: var(--rule); }
svg .limit { stroke: var(--muted); stroke-dasharray: 4 3; }
.chart .span { fill: var(--c4); opacity: .25; }
svg .band { opacity: .22; }
svg .interval { stroke-width: 1.5; }
svg circle { stroke-width: 2; } svg circle.open { fill: var(--paper); }

.tracks { display: grid; grid-template-columns: fit-content(45%) minmax(80px, 1fr) max-content; font-size: 13px; font-variant-numeric: tabular-nums; max-width: 560px; }
.tracks.figures { grid-template-columns: fit-content(25%) max-content minmax(120px, 1fr) max-content; font-size: 14px; max-width: 1080px; margin: 12px 0 20px; }
.tracks .row { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; column-gap: 14px; align-items: center; }
.tracks b { font-weight: 400; overflow-wrap: anywhere; } .tracks b:has(.swatch), .tracks b.strong { font-weight: 600; } .tracks .swatch { margin-right: 6px; }
.tracks .remark { color: var(--muted); text-align: right; } .figures .remark { text-align: left; }
.tracks .heads { color: var(--muted); font-size: 12px; } .heads .track { display: block; }
.track { display: block; width: 100%; height: 26px; overflow: visible; } .ticks .track { height: 14px; } td .track { width: 160px; height: 16px; }
.track .bar { y: 18%; height: 64%; } .track .span { y: calc(50% - 1.5px); height: 3px; opacity: .6; }
.track .reach { y: 25%; height: 50%; rx: 3px; opacity: .45; }
.tracks .unit { grid-column: 1 / -1; text-align: center; color: var(--muted); font-size: 12px; margin: 0; }
.key { display: inline-block; width: 10px; height: 10px; border: 2px solid var(--muted); border-radius: 50%; margin: 0 4px 0 10px; }
.key.full { background: var(--muted); }

details { margin-top: 14px; } summary { cursor: pointer; color: var(--muted); font-size: 14px; overflow-wrap: anywhere; }
details code { font-size: 12px; }
footer { margin-top: 44px; padding-top: 10px; border-top: 1px solid var(--rule); color: var(--muted); font-size: 13px; }
@media print { .legend { position: static; } button { display: none; } .panel { break-inside: avoid; } }
@media (max-width: 900px) { body { padding: 18px 14px; } th, td { padding-left: 4px; padding-right: 4px; } table { font-size: 12px; } thead th { font-size: 11px; }
  .scores tr.trivial th[scope=row] { padding-left: 33px; } tbody th[scope=rowgroup] { padding-right: 8px; } }
@media (max-width: 700px) {
  .take { font-size: 17px; } .verdict { padding: 8px 12px; } dl { grid-template-columns: 1fr; } dt:not(:first-child) { margin-top: 6px; }
  .tracks.figures { grid-template-columns: 1fr max-content; } .figures .row { padding: 5px 0; }
  .figures .track, .figures .remark { grid-column: 1 / -1; } .figures .remark { font-size: 12px; }
  .figures .ticks b, .figures .ticks .figure, .heads .track, .heads .remark { display: none; }
}
`;
