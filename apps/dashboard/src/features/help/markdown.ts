/** A part of a page of the docs: as much of Markdown as they use. */
export type Block =
  | { kind: 'heading'; level: number; text: string; id: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: string[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'code'; text: string }

/** As GitHub makes it, so that links within the docs lead to the heading. */
export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const marks = {
  fence: /^\s*```/,
  heading: /^(#{1,4}) (.+)$/,
  anchor: /^<a id=/,
  row: /^\|/,
  item: /^\s*(?:[-*]|\d+\.) +/,
}

export function parseMarkdown(text: string): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  let at = 0
  /** Takes lines as long as they fit. */
  const take = (fits: (line: string) => boolean): string[] => {
    const from = at
    while (at < lines.length && fits(lines[at] ?? '')) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const heading = marks.heading.exec(line)
    if (line.trim() === '' || marks.anchor.test(line)) at++
    else if (marks.fence.test(line)) {
      at++
      blocks.push({ kind: 'code', text: take((each) => !marks.fence.test(each)).join('\n') })
      at++
    } else if (heading) {
      at++
      const title = heading[2] ?? ''
      const level = heading[1]?.length ?? 1
      blocks.push({ kind: 'heading', level, text: title, id: headingId(plainText(title)) })
    } else if (marks.row.test(line)) blocks.push(tableOf(take((each) => marks.row.test(each))))
    else if (marks.item.test(line)) {
      const isOrdered = /^\s*\d/.test(line)
      blocks.push({ kind: 'list', isOrdered, items: itemsOf(take((each) => each.trim() !== '')) })
    } else blocks.push({ kind: 'paragraph', text: joined(take(isPlain)) })
  }
  return blocks
}

const isPlain = (line: string) =>
  line.trim() !== '' &&
  ![marks.fence, marks.heading, marks.row, marks.item].some((mark) => mark.test(line))

const joined = (lines: readonly string[]) => lines.map((line) => line.trim()).join(' ')

/** A line without a mark goes on with the item above it. */
function itemsOf(lines: readonly string[]): string[] {
  const items: string[][] = []
  for (const line of lines) {
    if (marks.item.test(line)) items.push([line.replace(marks.item, '')])
    else items.at(-1)?.push(line)
  }
  return items.map(joined)
}

function tableOf(lines: readonly string[]): Block {
  const [head = [], , ...rows] = lines.map(cellsOf)
  return { kind: 'table', head, rows }
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

export type Inline =
  | { kind: 'text' | 'code' | 'strong' | 'emphasis'; text: string }
  | { kind: 'link'; text: string; href: string }

const inlinePattern =
  /`([^`]+)`|!?\[([^\]]+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*|(?<![\p{L}\p{N}_])_([^_]+)_(?![\p{L}\p{N}_])|<(https?:[^>]+)>/gu

/** The parts of a line. Nothing is HTML: what is not known stays text. */
export function parseInline(text: string): Inline[] {
  const parts: Inline[] = []
  let end = 0
  for (const match of text.matchAll(inlinePattern)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    end = match.index + match[0].length
    const [, code, label, href, strong, emphasis, address] = match
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (label !== undefined) parts.push({ kind: 'link', text: label, href: href ?? '' })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong })
    else if (emphasis !== undefined) parts.push({ kind: 'emphasis', text: emphasis })
    else parts.push({ kind: 'link', text: address ?? '', href: address ?? '' })
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

const plainText = (text: string): string =>
  parseInline(text)
    .map((part) => part.text)
    .join('')
