import { toText } from './arguments.ts'
import { uuidOf } from './bytes-text.ts'
import type { FunctionContext, MappingFunction, MappingMoment } from './mapping-function.ts'
import { ValueFault } from './value-fault.ts'

/** What they give is fixed for a step: a retry or a resume of it sends the same. */
export const stepFunctions: readonly MappingFunction[] = [
  {
    name: 'uuid',
    usage: 'uuid(name)',
    words: 'A UUID, the same for the same name in one step; name may be left out',
    least: 0,
    most: 1,
    apply: ([name], context) => {
      const { seed } = momentOf(context)
      return uuidOf(JSON.stringify(name === undefined ? [seed] : [seed, toText(name)]))
    },
  },
  {
    name: 'now',
    usage: 'now()',
    words: 'The time in UTC, like 2026-11-30T08:15:00.000Z',
    least: 0,
    apply: (_args, context) => momentOf(context).now,
  },
]

function momentOf({ moment }: FunctionContext): MappingMoment {
  if (moment) return moment
  throw new ValueFault('there is no step here that it could be of.')
}
