const entities: Record<string, string> = {
  nbsp: '\u00a0',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  hellip: '…',
}

/** The text that React shows for a piece of JSX: lines are joined by a space, and their ends are cut. */
export function shownText(raw: string): string {
  const lines = raw.split(/\r?\n/)
  const cut = lines.map((line, at) => {
    const start = at === 0 ? line : line.trimStart()
    return at === lines.length - 1 ? start : start.trimEnd()
  })
  return cut
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
}

/** As many line breaks as a text has: what takes its place keeps the numbers of the lines. */
export function lineBreaksOf(raw: string): string {
  return '\n'.repeat(raw.split('\n').length - 1)
}
