import { describe, expect, it } from 'vitest'
import { exampleOfSchema } from './schema-example.ts'

const exampleOf = (schema: object): unknown => {
  const text = exampleOfSchema(JSON.stringify(schema))
  return text === undefined ? undefined : JSON.parse(text)
}

describe('an example', () => {
  it.each([
    [{ const: 7 }, 7],
    [{ type: 'string', examples: ['first', 'second'] }, 'first'],
    [{ type: 'string', example: 'own', default: 'other' }, 'own'],
    [{ type: 'string', default: 'other' }, 'other'],
    [{ enum: ['open', 'closed'] }, 'open'],
    [{ type: 'string', format: 'date' }, '2026-01-31'],
    [{ type: 'string', minLength: 6 }, 'textxx'],
    [{ type: 'string', maxLength: 2 }, 'te'],
    [{ type: 'integer', minimum: 3, multipleOf: 5 }, 5],
    [{ type: 'integer', exclusiveMinimum: 0 }, 1],
    [{ type: 'number', maximum: -2 }, -2],
    [{ type: ['null', 'boolean'] }, true],
    [{ items: { type: 'integer' }, minItems: 2 }, [0, 0]],
    [{ prefixItems: [{ const: 'a' }], items: false }, ['a']],
    [{ oneOf: [{ const: 1 }, { const: 2 }] }, 1],
    [{}, null],
    [{ type: 'object', properties: { id: { const: 1 }, secret: { writeOnly: true } } }, { id: 1 }],
    [
      {
        allOf: [{ $ref: '#/$defs/a' }, { properties: { b: { const: 2 } } }],
        $defs: { a: { properties: { a: { const: 1 } } } },
      },
      { a: 1, b: 2 },
    ],
  ])('of %j is %j', (schema, expected) => {
    expect(exampleOf(schema)).toEqual(expected)
  })

  it('ends where a schema names itself, once or twice', () => {
    const text = exampleOfSchema(
      '{"properties":{"left":{"$ref":"#"},"right":{"$ref":"#"},"id":{"const":1}}}',
    )
    expect(text).toBeDefined()
    expect(text?.length).toBeLessThan(262_144)
  })

  it('keeps numbers exact, and nothing of it is a placeholder', () => {
    expect(exampleOfSchema('{"const":12345678901234567890}')).toBe('12345678901234567890')
    const text = exampleOfSchema('{"const":"{{body.id}}"}') ?? ''
    expect(text).not.toContain('{{')
    expect(JSON.parse(text)).toBe('{{body.id}}')
  })

  it.each(['', '[]', '{', '"text"'])('of %j is none', (schema) => {
    expect(exampleOfSchema(schema)).toBeUndefined()
  })
})
