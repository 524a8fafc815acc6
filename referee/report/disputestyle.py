"""The style of a disputed turn's page: in light and dark, on a phone and on paper."""

from __future__ import annotations

SHEET = """
:root{--ground:#efe7da;--panel:#fbf7f0;--line:#d8cab3;--ink:#2b231a;--soft:#6a5b48;--legal:#1f6b43;--illegal:#a8231d;
--unsure:#8a5200;--mark:#1258b8}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);
font:400 1rem/1.45 "Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;font-variant-numeric:tabular-nums}
main{max-width:62rem;margin:0 auto;padding:1.25rem}
h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.35rem;margin:.1rem 0}h3{font-size:1.05rem;margin:1.2rem 0 .4rem}
section{background:var(--panel);border:1px solid var(--line);border-left:.4rem solid var(--line);border-radius:.6rem;
padding:1rem 1.25rem;margin:1rem 0}
section.legal{border-left-color:var(--legal)}section.illegal{border-left-color:var(--illegal)}
section.unsure{border-left-color:var(--unsure)}
.legal h2{color:var(--legal)}.illegal h2{color:var(--illegal)}.unsure h2{color:var(--unsure)}
p{margin:.3rem 0;overflow-wrap:anywhere}.soft,footer,figcaption,small,cite{color:var(--soft)}.fate{font-weight:600}
.rules{padding-left:1.2rem}.rules li{margin:.4rem 0}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:1rem}
figure{margin:0;min-width:0}figcaption{font-weight:600;margin:.2rem 0}
img,svg.board{width:100%;height:auto;display:block}img{border-radius:.4rem}
svg text{font:600 15px "Segoe UI",Roboto,"Liberation Sans",sans-serif;text-anchor:middle}
svg .long{font-size:10px}svg .label{fill:var(--soft);font-size:13px}svg .cell{stroke:var(--line);stroke-width:1}
svg .piece{stroke:var(--panel);stroke-width:2}.p-none{fill:#6a6a6a}.t-none{fill:#fff}
.changed{fill:none;stroke:var(--mark);stroke-width:3}.wrong{fill:none;stroke:var(--illegal);stroke-width:4}
.doubted{fill:none;stroke:var(--unsure);stroke-width:3;stroke-dasharray:6 3}
.open{fill:none;stroke:var(--soft);stroke-width:1;stroke-dasharray:2 4}
svg .open-sign{fill:var(--soft);font-weight:400}
svg .doubted-sign{fill:var(--unsure)}svg .wrong-sign{fill:var(--illegal)}
svg .sign{font-size:18px;font-weight:900;paint-order:stroke;stroke:var(--panel);stroke-width:4}
.key{display:inline-block;width:1.1rem;height:1.1rem;border:3px solid var(--mark);border-radius:.25rem;
vertical-align:-.2rem;text-align:center;line-height:.75rem;font-weight:900;color:var(--illegal)}
.kwrong{border-color:var(--illegal)}.kdoubted{border-color:var(--unsure);border-style:dashed;color:var(--unsure)}
.kopen{border:1px dotted var(--soft);color:var(--soft)}
.keys span+span{margin-left:.3rem}.keys>span{margin-right:1.2rem}
svg .bar{stroke-width:8}details{margin:.6rem 0}summary{cursor:pointer;font-weight:600;padding:.5rem 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem .3rem 0;
border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}
@media(max-width:34rem){main{padding:.6rem}section{padding:.8rem}table{font-size:.85rem}th{font-size:.8rem}}
pre{white-space:pre-wrap;overflow-wrap:anywhere}code,footer{overflow-wrap:anywhere}
@media print{body{background:#fff}section{break-inside:avoid-page}}
"""
"""Everything but the boards' own colours."""

DARK = """:root{color-scheme:dark;--ground:#1a1612;--panel:#26201a;--line:#443a2e;--ink:#f3e9da;--soft:#b8a68d;
--legal:#7fcf9f;--illegal:#ff9a8a;--unsure:#f5bf63;--mark:#8cbcff}"""
"""Styles that differ on a dark page."""
