import { patternProblem } from './linear-pattern.ts'

const patternsMax = 200

/** Keywords whose values are data. */
const holdsData = new Set(['const', 'enum', 'default', 'example', 'examples'])

/** Patterns beyond measure. */
export function patternsProblem(schema: object): string | undefined {
  return problemIn(schema, true)
}

/** What ajv would take and we refuse: references to other documents, and patterns beyond measure. */
export function referenceProblem(schema: object): string | undefined {
  return problemIn(schema, false)
}

function problemIn(schema: object, mayRefer: boolean): string | undefined {
  let patterns = 0
  const visit = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined
    for (const [key, each] of Object.entries(value)) {
      if (holdsData.has(key)) continue
      const isReference = /^\$(?:ref|dynamicRef)$/.test(key) && typeof each === 'string'
      if (!mayRefer && isReference && !each.startsWith('#'))
        return `$ref may only point into this schema, and ${each.slice(0, 100)} does not.`
      const written =
        key === 'pattern' && typeof each === 'string' ? [each] : keysOfPatterns(key, each)
      patterns += written.length
      const problem = written.map(patternProblem).find(Boolean) ?? visit(each)
      if (problem !== undefined) return problem
    }
    return patterns > patternsMax ? `A schema has at most ${patternsMax} patterns.` : undefined
  }
  return visit(schema)
}

const keysOfPatterns = (key: string, value: unknown): string[] =>
  key === 'patternProperties' && typeof value === 'object' && value !== null
    ? Object.keys(value)
    : []
