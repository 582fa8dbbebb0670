import { compileText, type CompiledOutput, type OutputRoot } from '../endpoints/custom-output.ts'
import { isHeaderName } from '../endpoints/header-names.ts'
import { outgoingHeaderProblem } from '../apis/sign-in/outgoing-header.ts'

export const transformSides = ['request', 'answer'] as const
export type TransformSide = (typeof transformSides)[number]

const rulesMax = 100

/** One line of the rules of an endpoint. Names of headers are in lower case. */
export type TransformRule =
  | { kind: 'path'; value: CompiledOutput }
  | { kind: 'set header' | 'set query'; name: string; value: CompiledOutput }
  | { kind: 'remove header' | 'remove query'; name: string }
  | { kind: 'rename header'; name: string; to: string }

interface ReadRules {
  rules: TransformRule[]
  /** Sentences for an administrator, each with its line. */
  problems: string[]
}

export const requestRoots: readonly OutputRoot[] = ['params', 'query', 'headers', 'body']
export const answerRoots: readonly OutputRoot[] = [...requestRoots, 'status']
/** A header goes before the body is here. */
const headRoots = answerRoots.filter((root) => root !== 'body')

/** What an upstream or we decide: a rule must not speak for the connection, the host or the sign-in. */
const answerNames =
  /^(?:set-cookie|strict-transport-security|clear-site-data|x-gateway-mock|date|server)$/

/** Some servers read another path or method from these than the one that was checked. */
const routingNames =
  /^x-(?:original-url|rewrite-url|http-method|http-method-override|method-override)$/

/**
 * Reads rules, one a line: `set header X-Kind: {{query.kind}}`, `remove header X-Old`, `rename header X-Old:
 * X-New`, and for requests `set query page: 1`, `remove query debug`, `path /v2/orders/{{params.id}}`. Blank lines
 * and lines that begin with `#` say nothing. Never throws.
 */
export function readRules(text: string, side: TransformSide): ReadRules {
  const rules: TransformRule[] = []
  const problems: string[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const rule = readRule(trimmed, side)
    if (typeof rule === 'string') problems.push(`Line ${at + 1}: ${rule}`)
    else rules.push(rule)
  }
  if (rules.length > rulesMax) problems.push(`There may be at most ${rulesMax} rules.`)
  if (rules.filter(({ kind }) => kind === 'path').length > 1)
    problems.push('The path can be rewritten once.')
  return { rules, problems }
}

const forms = /^(?:(path) (\/.*)|(set|remove|rename) (header|query) ([^\s:]+)(?:: ?(.*))?)$/

/** A sentence where it is none. */
function readRule(line: string, side: TransformSide): TransformRule | string {
  const [, path, target = '', verb, thing, name = '', rest] = forms.exec(line) ?? []
  const isOfRequest = path !== undefined || thing === 'query'
  if (isOfRequest && side === 'answer') return 'An answer has headers only.'
  if (path !== undefined) return pathRule(target)
  if (verb === undefined || (verb === 'remove') !== (rest === undefined)) return usage
  if (thing === 'query') return queryRule(verb, name, rest)
  return headerRule({ verb, name, rest: rest ?? '', side })
}

const usage =
  'This is no rule. Write “set header X-Kind: text”, “remove header X-Kind”, “rename header X-Old: X-New”, ' +
  '“set query page: 1”, “remove query page” or “path /orders”.'

function pathRule(text: string): TransformRule | string {
  if (/[\s?#\\]/.test(text.replace(/\{\{.*?\}\}/g, '')))
    return 'A path has no blanks, and none of ? # \\: set the query by its own rules.'
  const value = compileText(text)
  return problemOf(value, requestRoots) ?? { kind: 'path', value }
}

function queryRule(verb: string, name: string, rest: string | undefined): TransformRule | string {
  if (verb === 'rename') return 'Rename is for headers.'
  if (rest === undefined) return { kind: 'remove query', name }
  const value = compileText(rest)
  return problemOf(value, requestRoots) ?? { kind: 'set query', name, value }
}

function headerRule(given: {
  verb: string
  name: string
  rest: string
  side: TransformSide
}): TransformRule | string {
  const { verb, rest, side } = given
  const name = given.name.toLowerCase()
  const problem = nameProblem(name, side)
  if (problem !== undefined) return problem
  if (verb === 'remove') return { kind: 'remove header', name }
  if (verb === 'rename') {
    const to = rest.trim().toLowerCase()
    return nameProblem(to, side) ?? { kind: 'rename header', name, to }
  }
  const value = compileText(rest)
  return (
    problemOf(value, side === 'request' ? requestRoots : headRoots) ?? {
      kind: 'set header',
      name,
      value,
    }
  )
}

function nameProblem(name: string, side: TransformSide): string | undefined {
  if (!isHeaderName(name) || name.includes('_'))
    return 'This is not the name of a header: use letters, digits and - like X-Api-Key.'
  if (name === 'authorization') return 'The sign-in of the API sets Authorization.'
  if (routingNames.test(name))
    return `${name} could lead to another path than the one of the request.`
  if (side === 'answer' && answerNames.test(name))
    return `Gatehouse keeps the header ${name} as it is.`
  return outgoingHeaderProblem(name)
}

function problemOf(value: CompiledOutput, roots: readonly OutputRoot[]): string | undefined {
  if (value.kind === 'broken') return value.reason
  if (value.kind === 'fixed')
    return /^[\x20-\x7e]*$/.test(value.body)
      ? undefined
      : 'Use visible ASCII characters and blanks.'
  const strange = [...value.roots].find((root) => !roots.includes(root))
  return strange === undefined ? undefined : `There is no ${strange} here: use ${roots.join(', ')}.`
}
