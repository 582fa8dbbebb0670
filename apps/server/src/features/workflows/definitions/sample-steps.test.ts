import { defaultRunSettings } from '@gatehouse/contract'
import { noCredential } from '@gatehouse/upstream'
import { expect, it } from 'vitest'
import type { Target } from '../../runs/steps/target.ts'
import { isPlannedFor } from './sample-steps.ts'

const place = (which: 'live' | 'test'): Target['destination'] => ({
  target: { kind: 'http', baseUrl: `http://${which}.example`, tls: null },
  apiId: 1,
  which,
  credential: noCredential,
})
const target = (method: Target['method'], hasTest: boolean): Target => ({
  endpointId: 1,
  name: 'Invoices',
  method,
  path: '/invoices',
  register: '',
  destination: place('live'),
  testDestination: hasTest ? place('test') : undefined,
  connectTimeoutMs: 1,
  answerTimeoutMs: 1,
  settings: defaultRunSettings,
  staticHeaders: [],
})

it.each([
  ['test', 'POST', true, false, true],
  ['test', 'GET', true, false, true],
  ['address', 'GET', false, false, true],
  // Its test address was removed meanwhile: the plan holds the address itself.
  ['test', 'POST', false, true, false],
  ['test', 'GET', false, false, false],
  // It read, and changes something now.
  ['address', 'POST', false, false, false],
  ['address', 'GET', true, false, false],
] as const)(
  'what was to run at: %s, and is %s by now (test address: %s, dry: %s), is sent: %s',
  (at, method, hasTest, isDry, isSent) => {
    expect(isPlannedFor({ target: target(method, hasTest), isDry }, at)).toBe(isSent)
  },
)
