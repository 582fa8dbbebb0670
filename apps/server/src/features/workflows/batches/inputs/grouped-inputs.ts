import { createHash } from 'node:crypto'
import type { GoodInput } from './checked-inputs.ts'

/** Inputs of a batch that go in one run; the first line is that of the run. */
export interface InputGroup extends GoodInput {
  inputs: readonly Pick<GoodInput, 'line' | 'reference'>[]
}

/** Inputs in groups of this size, in their order. A group is a list of its inputs, as they were sent. */
export function inGroups(inputs: readonly GoodInput[], size: number): InputGroup[] {
  const groups: InputGroup[] = []
  for (let at = 0; at < inputs.length; at += size) groups.push(groupOf(inputs.slice(at, at + size)))
  return groups
}

/** At least one input. */
export function groupOf(inputs: readonly GoodInput[]): InputGroup {
  const [first] = inputs
  if (!first) throw new Error('A group has no inputs.')
  const content = inputs.map(({ contentHash }) => contentHash).join('\n')
  return {
    line: first.line,
    text: listOf(inputs.map(({ text }) => text)),
    // Several inputs have no reference in common.
    reference: inputs.length === 1 ? first.reference : null,
    orderKey: null,
    contentHash: createHash('sha256').update(content).digest('hex'),
    inputs,
  }
}

/** The input of a run of a workflow whose runs take several: a list of inputs. */
const listOf = (texts: readonly string[]): string => `[${texts.join(',')}]`
