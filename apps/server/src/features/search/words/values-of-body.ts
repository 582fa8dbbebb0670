/** A value of a body, and the names that lead to it. */
export interface BodyValue {
  path: string
  value: string
}

/** Values under these names are secrets: they are neither found nor shown. */
const secretName =
  /pass(word|wd|phrase|code)|secret|token|authori[sz]ation|credential|api[-_]?key|private[-_]?key|signature|^(pin|otp|cvv|cvc|auth)$/i

const isSecret = (names: readonly string[]) => names.some((name) => secretName.test(name))

/**
 * The values of a body, without their names and without secrets. Reads JSON and XML; any other text is one
 * value. A body that ends in the middle is read up to there.
 */
export function* valuesOfBody(text: string): Generator<BodyValue> {
  const begin = /\S/.exec(text)?.[0]
  const values = begin === '{' || begin === '[' ? jsonValues : begin === '<' ? xmlValues : plain
  for (const { names, value } of values(text))
    if (!isSecret(names))
      yield { path: names.join('.'), value: value.replaceAll('[credential]', '') }
}

interface Found {
  names: readonly string[]
  value: string
}

function* plain(text: string): Generator<Found> {
  if (!/^[^\s=&]+=[^\s]*$/.test(text)) yield { names: [], value: text }
  else for (const [name, value] of new URLSearchParams(text)) yield { names: [name], value }
}

const jsonPiece = /"((?:[^"\\]|\\.)*)"(\s*:)?|-?\d[\d.eE+-]*|[{}[\],]/g

function* jsonValues(text: string): Generator<Found> {
  // The names and positions around the value that comes next.
  const around: (string | number)[] = []
  for (const { 0: piece, 1: string, 2: colon } of text.matchAll(jsonPiece)) {
    if (piece === '{') around.push('')
    else if (piece === '[') around.push(0)
    else if (piece === '}' || piece === ']') around.pop()
    else if (piece === ',') countUp(around)
    else if (colon) around[Math.max(0, around.length - 1)] = unescaped(string ?? '')
    else
      yield { names: around.map(String), value: string === undefined ? piece : unescaped(string) }
  }
}

function countUp(around: (string | number)[]): void {
  const last = around.at(-1)
  if (typeof last === 'number') around[around.length - 1] = last + 1
}

function unescaped(string: string): string {
  if (!string.includes('\\')) return string
  try {
    return String(JSON.parse(`"${string}"`))
  } catch {
    return string
  }
}

const xmlPiece =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<[?!][^>]*>|<(\/?)([^\s/>]+)[^>]*?(\/?)>|([^<]+)/g
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function* xmlValues(text: string): Generator<Found> {
  const names: string[] = []
  for (const { 1: data, 2: end, 3: name, 4: empty, 5: content } of text.matchAll(xmlPiece)) {
    if (name !== undefined) {
      if (end) names.pop()
      else if (!empty) names.push(name.replace(/^.*:/, ''))
    } else if (data !== undefined) yield { names: [...names], value: data }
    else if (content?.trim()) yield { names: [...names], value: withoutEntities(content.trim()) }
  }
}

const withoutEntities = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(String(hex), 16) : undefined
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    return entities[String(name)] ?? whole
  })
