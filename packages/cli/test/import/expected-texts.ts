// The Markdown that real exports become.
export const wordpressBlocks = String.raw`## A heading with *emphasis*

Grüße aus Zürich 🦉, 日本語 and **bold** with [a link](https://example.org/?a=1\&b=2) & an entity \<tag> \* not a list_item\_.

- One
  1. Nested
- Two

${'```'}php
if ($a < 1 && $b) {
  echo "hi [gallery]";
}
${'```'}

| Name   | Value |
| ------ | ----- |
| a \| b | 1     |

*A table*

![A red picture](https://b.example/2019/05/Rotes-Bild.png)

Caption of *it*

> Quoted.
>
> Someone

<https://video.example/watch?v=1>

---
`;

export const wordpressClassic = String.raw`First line of a classic post.\
Second line after a break.

A new paragraph with ${'`inline *code*`'}.

![thumb](https://b.example/2019/05/Rotes-Bild.png)

*The caption*

![A red "picture"](https://b.example/2019/05/Rotes-Bild.png)

- item

CDATA end: ]]> done.
`;

export const ghostCards = String.raw`## A heading *with emphasis*

Grüße aus Zürich 🦉, 日本語 and **bold** and ${'`code*`'}, \* not a list_item\_, \<tag>. [A link](https://example.org/?a=1\&b=2)

- One
- Two

1. First
2. Second

![A red "picture"](https://b.example/images/2026/11/Rotes-Bild.png)

Caption of *it*

${'```'}python
if (a < 1 && b) {
  print("${'`hi`'}");
}
${'```'}

| Name   | Value |
| ------ | ----- |
| a \| b | 1     |

Some **Markdown** with a footnote[\[1\]](#fn1).

---

1. The note. [↩︎](#fnref1)

> Quoted.

---

💡

A callout

[A bookmark](https://example.org/book)

[About it](https://example.org/book)

![](https://b.example/images/2026/11/Rotes-Bild.png)
`;

export const ghostMobiledoc = `Mobiledoc **bold** and [a link](https://example.org/)\\
after a break.

## From a *card*

- item

![red](https://b.example/images/2026/11/Rotes-Bild.png)

*Cap*

### A heading

- one
- two

\`\`\`js
x < y
\`\`\`

---
`;
