import { RE2JS } from 're2js'
import { asRe2 } from './ecma-pattern.ts'
import type { WorkMeter } from './work-meter.ts'

const patternMaxLength = 1000

interface Pattern {
  test: (text: string) => boolean
  toString: () => string
}

/**
 * Patterns are matched in linear time: no text must be able to hold a process up. So there are no
 * look-arounds and no back references. Where a meter is given, each match is paid for.
 */
export function linearPatterns(meter?: WorkMeter) {
  const compile = (pattern: string): Pattern => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(asRe2(pattern)))
    const size = compiled.programSize()
    const quick = quickPattern(pattern)
    return {
      test: (text) => {
        meter?.spend(text.length * (quick ? quick.states : size))
        return quick ? quick.regExp.test(text) : compiled.matcher(text).find()
      },
      toString: () => `/${pattern}/`,
    }
  }
  // ajv writes `code` where it shows the code that it has made.
  return Object.assign(compile, { code: 'linear' })
}

/** Why a pattern can't be used; undefined where it can. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > patternMaxLength)
    return `A pattern may not be longer than ${patternMaxLength} characters.`
  try {
    RE2JS.compile(RE2JS.translateRegExp(asRe2(pattern)))
    return undefined
  } catch {
    return `The pattern ${pattern.slice(0, 100)} can't be used: look-arounds, back references and repetitions of more than 1000 are not supported.`
  }
}

const piece = /(?:\[(?:[A-Za-z0-9_ :@#/+.-]|\\[dw.-])+\]|\\[dw.\-/]|[A-Za-z0-9_ :@#/-])/y
const repeat = /\{(\d{1,4})(?:,(\d{1,4}))?\}/y
/** Ways in which the repetitions of a pattern may share a text. */
const statesMax = 64

/**
 * The engine's own matcher is many times faster, and may backtrack. It is used where that is harmless: a
 * pattern from `^` to `$` made of characters, classes and counted repetitions, whose counts multiply to at
 * most 64. Undefined for any other.
 */
function quickPattern(pattern: string): { regExp: RegExp; states: number } | undefined {
  if (!pattern.startsWith('^') || !pattern.endsWith('$') || pattern.endsWith('\\$'))
    return undefined
  const inside = pattern.slice(1, -1)
  let states = 1
  for (let at = 0; at < inside.length;) {
    piece.lastIndex = at
    if (!piece.test(inside)) return undefined
    at = repeat.lastIndex = piece.lastIndex
    const counted = repeat.exec(inside)
    if (counted === null) continue
    at = repeat.lastIndex
    const least = Number(counted[1])
    states *= Math.max(1, Number(counted[2] ?? least) - least + 1)
    if (states > statesMax) return undefined
  }
  return { regExp: new RegExp(pattern, 'u'), states }
}
