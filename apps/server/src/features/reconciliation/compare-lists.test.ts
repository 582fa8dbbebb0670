import { expect, it } from 'vitest'
import { compareLists, type LedgerDocument } from './compare-lists.ts'

const own = (reference: string, changes: Partial<LedgerDocument> = {}): LedgerDocument => ({
  register: 'default',
  reference,
  amount: '10.00',
  state: 'accepted',
  document_id: 1,
  run_id: 2,
  isInPeriod: true,
  ...changes,
})
const listed = (reference: string, amount: string | null = '10') => ({ reference, amount })
const kinds = (compared: Parameters<typeof compareLists>[0]) =>
  compareLists(compared).differences.map(({ reference, kind }) => `${reference} ${kind}`)

it('what all three have alike agrees, however its amount is written', () => {
  const compared = { erp: [listed('A')], ledger: [own('A')], authority: [listed('A', '1e1')] }
  expect(compareLists(compared)).toEqual({ differences: [], agreeing: 1, differing: 0 })
})

it('names what is missing on each side', () => {
  const compared = {
    erp: [listed('A'), listed('B')],
    ledger: [own('B'), own('C')],
    authority: [listed('B'), listed('D')],
  }
  expect(kinds(compared)).toEqual([
    'A missing_here',
    'C missing_in_erp',
    'C missing_at_authority',
    'D only_at_authority',
  ])
  expect(compareLists(compared)).toMatchObject({ agreeing: 1, differing: 3 })
})

it('without a list of an authority nothing is missing there', () => {
  expect(kinds({ erp: [listed('A')], ledger: [own('A')], authority: null })).toEqual([])
})

it('amounts differ by the last digit, which no float would show', () => {
  const ledger = [own('A', { amount: '9007199254740993.01' })]
  const erp = [listed('A', '9007199254740993.02')]
  expect(kinds({ erp, ledger, authority: null })).toEqual(['A amount'])
  expect(kinds({ erp: [listed('A', null)], ledger, authority: null })).toEqual([])
  expect(kinds({ erp: [listed('A', 'ten')], ledger, authority: null })).toEqual(['A amount'])
})

it('a state differs where a list has what was not accepted', () => {
  for (const state of ['not_accepted', 'unknown', 'pending'] as const)
    expect(kinds({ erp: [listed('A')], ledger: [own('A', { state })], authority: null })).toEqual([
      'A state',
    ])
  // Nobody asks for what was rejected and is in no list.
  const rejected = [own('A', { state: 'not_accepted' })]
  expect(kinds({ erp: [], ledger: rejected, authority: [] })).toEqual([])
})

it('a document of another period that a list names is not missing here, nor in the other list', () => {
  const ledger = [own('A', { isInPeriod: false })]
  expect(kinds({ erp: [listed('A')], ledger, authority: [] })).toEqual([])
})
