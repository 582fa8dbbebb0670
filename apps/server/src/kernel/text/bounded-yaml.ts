import {
  Composer,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type Document,
  type LineCounter,
  type Node,
} from 'yaml'

/**
 * Bounds on documents of others. The library counts neither: a part takes up to 650 bytes of memory, and a
 * level of nesting some of the stack.
 */
export const yamlBounds = {
  /** Keys, values, brackets, line breaks, blanks and comments: some seven in a line. */
  parts: 1_000_000,
  levels: 100,
  aliases: 100,
} as const

/** Why a document is refused, and where. */
export interface YamlProblem {
  message: string
  /** In the text. */
  offset: number
}

type ReadYaml = { ok: true; document: Document } | { ok: false; problem: YamlProblem }

/**
 * Reads one document of YAML 1.2 or JSON in a time and with a memory that grow with its length alone. Stops
 * at the first part over a bound. The library's own problems are in the document.
 */
export function readBoundedYaml(text: string, lines: LineCounter): ReadYaml {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  // Its own check for repeated keys compares each with each.
  const composer = new Composer({ uniqueKeys: false, lineCounter: lines, prettyErrors: false })
  const documents: Document[] = []
  const compose = (tokens: ReturnType<typeof parser.next>) => {
    for (const token of tokens) documents.push(...composer.next(token))
  }
  let parts = 0
  for (const part of new Lexer().lex(text)) {
    if (++parts > yamlBounds.parts) return refused(tooMany, parser.offset)
    compose(parser.next(part))
    if (parser.stack.length > yamlBounds.levels) return refused(tooDeep, parser.offset)
  }
  compose(parser.end())
  documents.push(...composer.end(true, text.length))
  const [document, second] = documents
  if (second) return refused(severalDocuments, startOf(second))
  if (!document) return refused('There is nothing in it.')
  return { ok: true, document }
}

const inWords = (count: number) => count.toLocaleString('en')
const tooDeep = `It is nested too deep: at most ${yamlBounds.levels} levels are read.`
const tooMany = `It is too large: at most ${inWords(yamlBounds.parts)} keys, values and marks are read.`
const tooManyAliases = `It has more than ${yamlBounds.aliases} aliases.`
const severalDocuments = 'It has several documents: give one.'

const refused = (message: string, offset = 0): ReadYaml => ({
  ok: false,
  problem: { message, offset },
})

/** Keys that an object has twice, and aliases over the bound; at most `max`. */
export function yamlFaults({ contents }: Document, max: number): YamlProblem[] {
  const problems: YamlProblem[] = []
  let aliases = 0
  const refuse = (node: unknown, message: string) => {
    if (problems.length < max) problems.push({ message, offset: startOf(node) ?? 0 })
  }
  const look = (node: unknown): void => {
    if (isAlias(node) && ++aliases === yamlBounds.aliases + 1) refuse(node, tooManyAliases)
    if (isPair(node)) {
      look(node.key)
      look(node.value)
    } else if (isMap(node) || isSeq(node)) {
      if (isMap(node))
        for (const key of repeatedKeys(node.items)) refuse(key, 'Map keys must be unique')
      for (const item of node.items) look(item)
    }
  }
  look(contents)
  return problems
}

/** A scalar of YAML is a text, a number, a flag or nothing. */
const keyText = (value: unknown): string => `${(value ?? '') as string | number | boolean}`

/** In an object all keys are texts: `1` and `"1"` are the same one. */
function repeatedKeys(pairs: readonly { key: unknown }[]): unknown[] {
  const known = new Set<string>()
  return pairs.flatMap(({ key }) => {
    if (!isScalar(key)) return []
    const text = keyText(key.value)
    if (known.has(text)) return [key]
    known.add(text)
    return []
  })
}

/** Where a node begins in the text. */
export const startOf = (node: unknown) => (node as Partial<Node> | null)?.range?.[0]
