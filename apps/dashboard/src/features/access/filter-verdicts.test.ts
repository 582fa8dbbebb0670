import { expect, test } from 'vitest'
import { filterVerdicts, ofCaller, ofEndpoint, type Verdict } from './filter-verdicts.ts'
import { buildAccessEndpoint } from '../../testing/admin-builders.ts'

const verdict = (id: number, changes: Partial<Verdict>): Verdict => ({
  id,
  name: `Name ${id}`,
  detail: '',
  isAllowed: false,
  reason: '',
  grants: [],
  ...changes,
})
const verdicts = [
  verdict(1, { isAllowed: true, grants: [{ id: 3, name: 'Operator' }] }),
  verdict(2, { detail: 'two@example.com' }),
  verdict(3, { isAllowed: true, name: 'Order status' }),
]
const idsOf = (found: Verdict[]) => found.map(({ id }) => id)

test('verdicts are found by name, by detail, and by the role that grants them', () => {
  expect(idsOf(filterVerdicts(verdicts, ' STATUS ', 'all'))).toEqual([3])
  expect(idsOf(filterVerdicts(verdicts, 'two@', 'all'))).toEqual([2])
  expect(idsOf(filterVerdicts(verdicts, 'operator', 'all'))).toEqual([1])
  expect(idsOf(filterVerdicts(verdicts, '', 'allowed'))).toEqual([1, 3])
  expect(idsOf(filterVerdicts(verdicts, '', 'denied'))).toEqual([2])
  expect(idsOf(filterVerdicts(verdicts, 'name', 'denied'))).toEqual([2])
})

test('a caller shows the e-mail address, an endpoint its API, method and path', () => {
  const says = {
    allowed: true,
    reason: 'Granted by Operator.',
    grants: [{ id: 3, name: 'Operator' }],
  }
  const user = { id: 7, name: 'Otto', email: 'otto@example.com' }
  expect(ofCaller({ user, ...says })).toMatchObject({ name: 'Otto', detail: 'otto@example.com' })
  expect(ofEndpoint({ endpoint: buildAccessEndpoint(1), ...says })).toMatchObject({
    name: 'Endpoint 1',
    detail: 'Orders · GET /things/1',
    isAllowed: true,
    reason: 'Granted by Operator.',
  })
})
