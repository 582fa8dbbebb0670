import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileCheck } from '@gatehouse/contract/json-schema'

interface SuiteGroup {
  description: string
  schema: object | boolean
  tests: { description: string; data: unknown; valid: boolean }[]
}

interface SuiteScore {
  schemas: number
  cases: number
  /** Schemas that are not taken, with the reason. */
  refused: string[]
  /** Cases that are judged otherwise. */
  otherwise: string[]
}

/** Runs the files of a folder in the form of the public JSON-Schema-Test-Suite. */
export function runSuite(folder: string): SuiteScore {
  const score: SuiteScore = { schemas: 0, cases: 0, refused: [], otherwise: [] }
  for (const file of globSync('*.json', { cwd: folder }).toSorted()) {
    const groups = JSON.parse(readFileSync(join(folder, file), 'utf8')) as SuiteGroup[]
    for (const group of groups) {
      const name = `${file.replace('.json', '')}: ${group.description}`
      judge(name, group, score)
    }
  }
  return score
}

function judge(name: string, { schema, tests }: SuiteGroup, score: SuiteScore): void {
  score.schemas++
  let check
  try {
    check = compileCheck(schema)
  } catch (error) {
    score.refused.push(`${name}: ${(error as Error).message.slice(0, 160)}`)
    return
  }
  for (const { description, data, valid } of tests) {
    score.cases++
    if (check.fits(data) !== valid) score.otherwise.push(`${name}: ${description}`)
  }
}
