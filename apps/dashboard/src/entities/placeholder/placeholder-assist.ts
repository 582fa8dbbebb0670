import { judgePlaceholders, placeholderOf, type Place } from '@gatehouse/contract/placeholders'
import {
  isExactObject,
  stringifyExact,
  type ExactJson,
  type PathSegment,
} from '@gatehouse/contract/mapping'
import type { TextAssist } from '../../ui/json/text-assist.ts'
import type { Sample } from './sample-answers.ts'

/** A value of a sample that can be taken. */
export interface SampleValue {
  placeholder: string
  step: number
  /** What leads to it. */
  path: (string | number)[]
  /** Its name or index in what holds it. */
  name: string
  depth: number
  /** The value in short. */
  preview: string
}

const valuesMax = 2000
const depthMax = 12
const previewMax = 60

/** The values of a sample, those that hold others before what they hold; at most 2,000. */
export function valuesOf({ step, data }: Sample): SampleValue[] {
  const values: SampleValue[] = []
  const visit = (value: ExactJson, path: (string | number)[], name: string) => {
    if (values.length >= valuesMax || path.length > depthMax) return
    values.push({
      placeholder: placeholderOf(step, path.map(segmentOf)),
      step,
      path,
      name,
      depth: path.length,
      preview: previewWords(value),
    })
    if (Array.isArray(value)) {
      for (const [index, each] of value.slice(0, 20).entries())
        visit(each, [...path, index], `[${index}]`)
    } else if (isExactObject(value)) {
      for (const [key, each] of Object.entries(value)) visit(each, [...path, key], key)
    }
  }
  if (data !== undefined) visit(data, [], step === 0 ? 'input' : 'body')
  return values
}

const segmentOf = (key: string | number): PathSegment =>
  typeof key === 'number' ? { kind: 'index', index: key } : { kind: 'name', name: key }

function previewWords(value: ExactJson): string {
  if (Array.isArray(value)) return value.length === 1 ? '1 element' : `${value.length} elements`
  if (isExactObject(value)) {
    const count = Object.keys(value).length
    return count === 1 ? '1 field' : `${count} fields`
  }
  const text = stringifyExact(value)
  return text.length > previewMax ? `${text.slice(0, previewMax - 1)}…` : text
}

/** A placeholder as it is written at a place of a body: in JSON outside of a text it makes one. */
export function writtenAt(text: string, position: number, placeholder: string, isText: boolean) {
  return isText || isInString(text, position) ? placeholder : JSON.stringify(placeholder)
}

/** Whether a place of a JSON text is inside a string. */
function isInString(text: string, position: number): boolean {
  let isInside = false
  for (let at = 0; at < position; at++) {
    if (isInside && text[at] === '\\') at++
    else if (text[at] === '"') isInside = !isInside
  }
  return isInside
}

const offersMax = 50

/** Underlines placeholders that the samples can't fill, and completes those that are being typed. */
export function placeholderAssist(
  samples: readonly Sample[],
  place: Place,
  isText: boolean,
): TextAssist {
  const byStep = new Map(samples.map((sample) => [sample.step, sample.data]))
  let all: SampleValue[] | undefined
  return {
    problemsIn: (text) => judgePlaceholders(text, place, (step) => byStep.get(step)),
    completionsAt: (text, position) => {
      const before = text.slice(Math.max(0, position - 300), position)
      const typed = /\{\{([^{}]*)$/.exec(before)?.[1]
      if (typed === undefined) return undefined
      all ??= samples.flatMap((sample) => valuesOf(sample))
      const wanted = typed.trim().toLowerCase()
      const found = all.filter(({ placeholder }) => placeholder.toLowerCase().includes(wanted))
      const from = position - typed.length - 2
      const isClosed = text.startsWith('}}', position)
      const options = found.slice(0, offersMax).map(({ placeholder, preview }) => {
        const whole = writtenAt(text, from, placeholder, isText)
        return {
          label: placeholder.slice(2, -2),
          detail: preview,
          text: isClosed ? placeholder.slice(0, -2) : whole,
        }
      })
      return { from, options }
    },
  }
}
