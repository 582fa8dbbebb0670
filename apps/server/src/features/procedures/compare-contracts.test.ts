import type { ProcedureSignatureRecord, ResultShapes } from '@gatehouse/contract'
import { describe, expect, test } from 'vitest'
import { compareContracts, driftKindOf, type Promised } from './compare-contracts.ts'

type Parameter = ProcedureSignatureRecord['parameters'][number]

const parameter = (name: string, change: Partial<Parameter> = {}): Parameter => ({
  name,
  direction: 'in',
  type: 'int',
  precision: null,
  scale: null,
  maxLength: null,
  hasDefault: false,
  ...change,
})

function promised(
  parameters: Parameter[],
  shapes: ResultShapes | null = null,
  isReadOnly = false,
): Promised {
  return { signature: { schema: 'shop', name: 'total', parameters, isReadOnly }, shapes }
}

const id = { name: 'id', type: 'int' }
const total = { name: 'total', type: 'decimal' }

const cases: [string, Promised, Promised, 'breaking' | 'additive' | undefined, string[]][] = [
  ['nothing', promised([parameter('a')]), promised([parameter('a')]), undefined, []],
  [
    'parameters in another order, since they are bound by name',
    promised([parameter('a'), parameter('b')]),
    promised([parameter('b'), parameter('a')]),
    undefined,
    [],
  ],
  [
    'a parameter that is gone',
    promised([parameter('a'), parameter('b')]),
    promised([parameter('a')]),
    'breaking',
    ['The parameter b is gone.'],
  ],
  [
    'a new parameter that callers have to give',
    promised([]),
    promised([parameter('a')]),
    'breaking',
    ['The parameter a (in int) is new.'],
  ],
  [
    'a new parameter with a default',
    promised([]),
    promised([parameter('a', { hasDefault: true })]),
    'additive',
    ['The parameter a (in int) is new; callers may leave it out.'],
  ],
  [
    'a new output',
    promised([]),
    promised([parameter('a', { direction: 'out' })]),
    'additive',
    ['The parameter a (out int) is new; callers may leave it out.'],
  ],
  [
    'another type, precision or length',
    promised([parameter('a', { type: 'decimal', precision: 38, scale: 10 })]),
    promised([parameter('a', { type: 'decimal', precision: 10, scale: 2 })]),
    'breaking',
    ['The parameter a was in decimal(38,10) and is in decimal(10,2).'],
  ],
  [
    'another direction',
    promised([parameter('a')]),
    promised([parameter('a', { direction: 'inout' })]),
    'breaking',
    ['The parameter a was in int and is inout int.'],
  ],
  [
    'a default that is gone, and one that is new',
    promised([parameter('a', { hasDefault: true }), parameter('b')]),
    promised([parameter('a'), parameter('b', { hasDefault: true })]),
    'breaking',
    ['The parameter a may no longer be left out.', 'The parameter b may be left out.'],
  ],
  [
    'no longer read only',
    promised([], null, true),
    promised([], null, false),
    'breaking',
    ['It no longer declares that it only reads: GET may no longer call it.'],
  ],
  [
    'a column that is gone, one of another type, and one that is new',
    promised([], [[id, total]]),
    promised(
      [],
      [
        [
          { ...id, type: 'bigint' },
          { name: 'tax', type: 'decimal' },
        ],
      ],
    ),
    'breaking',
    [
      'Record set 1: the column id was int and is bigint.',
      'Record set 1: the column total is gone.',
      'Record set 1: the column tax (decimal) is new.',
    ],
  ],
  [
    'one more column',
    promised([], [[id]]),
    promised([], [[id, total]]),
    'additive',
    ['Record set 1: the column total (decimal) is new.'],
  ],
  [
    'a record set that is gone',
    promised([], [[id], [total]]),
    promised([], [[id]]),
    'breaking',
    ['It returned 2 record sets and now returns 1 record set.'],
  ],
  [
    'one more record set',
    promised([], [[id]]),
    promised([], [[id], [total]]),
    'additive',
    ['It returns 2 record sets instead of 1.'],
  ],
  ['shapes that were not seen yet', promised([]), promised([], [[id]]), undefined, []],
]

describe('what has changed', () => {
  test.each(cases)('%s', (_, before, now, kind, texts) => {
    const changes = compareContracts(before, now)
    expect(changes.map(({ text }) => text)).toEqual(texts)
    expect(driftKindOf(changes)).toBe(kind)
  })
})
