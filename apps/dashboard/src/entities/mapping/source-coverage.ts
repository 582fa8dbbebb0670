import {
  isExactObject,
  parseFrom,
  pathsOf,
  pathText,
  type ExactJson,
  type MappingRow,
  type PathSegment,
} from '@gatehouse/contract/mapping'

export interface SourceCoverage {
  /** Plain values of the data that no row reads, as paths; elements of a list count as one, `[*]`. */
  unread: string[]
  /** How many such places the data has. */
  total: number
  /** The data has more places than are looked at. */
  isCut: boolean
}

const mostPlaces = 1000
const mostValues = 100_000

/**
 * Which places of the data no row reads. A row reads a place if its path, or one of its function, leads
 * to it or to something around it; a row that reads one element of a list reads the list's place.
 */
export function coverageOf(data: ExactJson, rows: readonly MappingRow[]): SourceCoverage {
  const { places, isCut } = placesOf(data)
  const read = rows.flatMap(({ from }) => {
    const parsed = from.trim() === '' ? undefined : parseFrom(from)
    return parsed?.ok ? pathsOf(parsed.from).map(general) : []
  })
  const unread = [...places].filter(([, place]) => !read.some((path) => leadsTo(path, place)))
  return { unread: unread.map(([text]) => text), total: places.size, isCut }
}

/** Paths of the plain values in a part of the data; elements of its lists count as one, `[*]`. */
export function pathsWithin(part: ExactJson, at: readonly PathSegment[]): string[] {
  return [...placesOf(part).places.values()].map((steps) => pathText([...at, ...steps]))
}

type Step = Exclude<PathSegment, { kind: 'index' }>

const every: Step = { kind: 'all' }

const general = (path: readonly PathSegment[]): Step[] =>
  path.map((step) => (step.kind === 'name' ? step : every))

const leadsTo = (path: readonly Step[], place: readonly Step[]): boolean =>
  path.length <= place.length &&
  path.every((step, at) => {
    const there = place[at]
    return step.kind === 'name'
      ? there?.kind === 'name' && there.name === step.name
      : there?.kind === 'all'
  })

/** The places of plain values, in their order, by their text. */
function placesOf(data: ExactJson) {
  const places = new Map<string, readonly Step[]>()
  let values = 0
  const visit = (value: ExactJson, at: readonly Step[]): void => {
    values += 1
    if (values > mostValues || places.size >= mostPlaces) return
    if (Array.isArray(value) && value.length > 0) {
      for (const element of value) visit(element, [...at, every])
    } else if (isExactObject(value) && Object.keys(value).length > 0) {
      for (const [name, member] of Object.entries(value))
        visit(member, [...at, { kind: 'name', name }])
    } else {
      const text = pathText(at)
      if (!places.has(text)) places.set(text, at)
    }
  }
  visit(data, [])
  return { places, isCut: values > mostValues || places.size >= mostPlaces }
}
