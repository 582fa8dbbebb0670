import { mappingLimits } from '../mapping-limits.ts'
import { parsePath } from '../paths/parse-path.ts'
import { readLiteral, Scanner } from '../paths/path-filter.ts'
import { counted, shorten } from '../show-value.ts'
import { listsIn, type Expression } from './expression.ts'
import { findFunction, mappingFunctions } from './function-table.ts'
import type { MappingFunction } from './mapping-function.ts'

type ParsedFrom = { ok: true; from: Expression } | { ok: false; message: string }

const functionName = /\s*([A-Za-z_]\w*)\s*\(/y

/** A name with a parenthesis after it, which no path has. */
export function isFunctionText(text: string): boolean {
  functionName.lastIndex = 0
  return functionName.test(text)
}

/**
 * Reads From: a path, or a function like `concat(a.b, " ", c)`. The arguments of a function are paths,
 * functions, texts in quotes, numbers, true, false and null. A refusal names the character it is about.
 */
export function parseFrom(text: string): ParsedFrom {
  if (!isFunctionText(text)) {
    const parsed = parsePath(text, 'from')
    return parsed.ok ? { ok: true, from: { kind: 'path', segments: parsed.segments } } : parsed
  }
  const most = mappingLimits.expressionLength
  if (text.length > most) {
    return { ok: false, message: `The function is longer than ${most} characters.` }
  }
  try {
    const scanner = new Scanner(text)
    const from = readCall(scanner, 1)
    if (scanner.take(/\s*$/y) === undefined) {
      throw at(scanner.position, 'the function has ended here. Put it into another one to go on.')
    }
    return { ok: true, from }
  } catch (error) {
    if (error instanceof ExpressionFault) return { ok: false, message: error.message }
    throw error
  }
}

class ExpressionFault extends Error {}

/** `position` counts from 0. */
const at = (position: number, message: string) =>
  new ExpressionFault(`Character ${position + 1}: ${message}`)

function readCall(scanner: Scanner, depth: number): Expression {
  scanner.take(/\s*/y)
  const start = scanner.position
  const name = scanner.take(functionName)?.[1] ?? ''
  const call = findFunction(name)
  if (!call) throw at(start, unknownFunction(name))
  if (depth > mappingLimits.expressionDepth) {
    throw at(start, `functions go at most ${mappingLimits.expressionDepth} levels deep.`)
  }
  const args = readArguments(scanner, depth)
  const problem = wrongCount(call, args.length) ?? call.check?.(args.length)
  if (problem !== undefined) throw at(start, problem)
  const expression: Expression = { kind: 'call', call, args, at: start + 1 }
  if (listsIn(expression) === undefined) {
    throw at(start, `the arguments of ${name} must have [*] as often, or not at all.`)
  }
  return expression
}

function readArguments(scanner: Scanner, depth: number): Expression[] {
  if (scanner.take(/\s*\)/y)) return []
  const args: Expression[] = []
  for (;;) {
    args.push(readArgument(scanner, depth))
    if (scanner.take(/\s*\)/y)) return args
    if (!scanner.take(/\s*,/y)) {
      throw at(scanner.position, 'a comma or a closing parenthesis is missing.')
    }
  }
}

function readArgument(scanner: Scanner, depth: number): Expression {
  scanner.take(/\s*/y)
  const start = scanner.position
  const quote = scanner.text[start]
  const value = readLiteral(scanner)
  if (value !== undefined) return { kind: 'literal', value }
  if (quote === '"' || quote === "'") {
    throw at(start, 'a text in quotes is not closed, or holds an escape that JSON does not know.')
  }
  functionName.lastIndex = start
  if (functionName.test(scanner.text)) return readCall(scanner, depth + 1)
  const parsed = parsePath(scanner.take(pathExtent)?.[0] ?? '', 'from')
  if (parsed.ok) return { kind: 'path', segments: parsed.segments }
  throw at(start, scanner.position === start ? 'an argument is missing.' : parsed.message)
}

/** Up to a comma or parenthesis outside of brackets; brackets hold quotes, which may hold anything. */
const pathExtent = /(?:[^[\](),"']|\[(?:[^\]"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*\])*/y

function wrongCount({ name, least, most = least, usage }: MappingFunction, count: number) {
  if (count >= least && count <= most) return undefined
  return `${name} is written ${usage}, and ${counted(count, 'argument')} ${count === 1 ? 'is' : 'are'} here.`
}

const unknownFunction = (name: string) =>
  `there is no function ${shorten(name, 40)}. There are ${mappingFunctions.map((each) => each.name).join(', ')}.`
