import { listFunctions } from './list-functions.ts'
import type { MappingFunction } from './mapping-function.ts'
import { numberFunctions } from './number-functions.ts'
import { stepFunctions } from './step-functions.ts'
import { textFunctions } from './text-functions.ts'

/** All functions, in the order in which help shows them. */
export const mappingFunctions: readonly MappingFunction[] = [
  ...textFunctions,
  ...numberFunctions,
  ...listFunctions,
  ...stepFunctions,
]

const byName = new Map(mappingFunctions.map((each) => [each.name, each]))

export const findFunction = (name: string): MappingFunction | undefined => byName.get(name)
