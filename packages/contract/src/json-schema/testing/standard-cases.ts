// A schema may have a keyword `then`: nobody awaits one.
/* oxlint-disable unicorn/no-thenable */
/** What a schema says of some values. Our own cases, each with the sentence of JSON Schema 2020-12 that it is made from. */
interface StandardCase {
  rule: string
  schema: object | boolean
  fits: readonly unknown[]
  not: readonly unknown[]
}

/** As a request brings it: a key `__proto__` is a key. */
const json = (text: string): unknown => JSON.parse(text)
const schemaOf = (text: string): object => JSON.parse(text) as object

export const standardCases: readonly StandardCase[] = [
  {
    rule: 'Core §4.3.2: The boolean schema values "true" and "false" … always produce themselves as assertion results.',
    schema: { properties: { open: true, closed: false } },
    fits: [{}, { open: 1 }],
    not: [{ closed: 1 }],
  },
  { rule: 'Core §4.3.2: true.', schema: true, fits: [1, null, {}], not: [] },
  { rule: 'Core §4.3.2: false.', schema: false, fits: [], not: [1, null, {}] },
  {
    rule: 'Core §4.3.1: A JSON Schema MAY contain properties which are not schema keywords. Unknown keywords SHOULD be treated as annotations.',
    schema: { type: 'string', colour: 'red', 'x-order': 1, required_if: ['a'] },
    fits: ['a'],
    not: [1],
  },
  {
    rule: 'Core §10.2.2.1: When "if" is not present, "then" … implementations MUST NOT evaluate the instance against this keyword.',
    schema: { then: { const: 0 }, else: { const: 1 } },
    fits: [0, 1, 'hello'],
    not: [],
  },
  {
    rule: 'Core §8.2.1: The "$id" keyword identifies a schema resource with its canonical URI.',
    schema: {
      $id: 'https://example.com/order.json',
      $ref: '#/$defs/line',
      $defs: {
        line: { properties: { price: { $ref: 'money.json' } } },
        money: { $id: 'money.json', type: 'number' },
      },
    },
    fits: [{ price: 1 }],
    not: [{ price: '1' }],
  },
  {
    rule: 'Core §8.2.1: … this URI also serves as the base URI for URI-references in keywords within the schema resource.',
    schema: {
      $id: 'https://example.com/a/root.json',
      properties: { one: { $ref: 'b/one.json' } },
      $defs: {
        one: { $id: 'b/one.json', $ref: 'two.json' },
        two: { $id: 'b/two.json', type: 'boolean' },
        other: { $id: 'two.json', type: 'string' },
      },
    },
    fits: [{ one: true }],
    not: [{ one: 'x' }],
  },
  {
    rule: 'Core §9.2.1: a JSON Pointer is relative to the resource that the base URI names.',
    schema: {
      $defs: {
        a: { $id: 'urn:example:a', $ref: '#/$defs/b', $defs: { b: { type: 'integer' } } },
        b: { type: 'string' },
      },
      properties: { a: { $ref: 'urn:example:a' }, b: { $ref: '#/$defs/b' } },
    },
    fits: [{ a: 1, b: 'x' }],
    not: [{ a: 'x' }, { b: 1 }],
  },
  {
    rule: 'Core §8.2.2: The "$anchor" … keywords … specify plain name fragments … used … for referencing.',
    schema: { $ref: '#item', $defs: { x: { $anchor: 'item', type: 'integer' } } },
    fits: [1],
    not: ['a'],
  },
  {
    rule: 'Core §8.2.2: an anchor is one of the resource that it is in.',
    schema: {
      properties: { a: { $ref: '#it' }, b: { $ref: 'inner#it' } },
      $defs: {
        one: { $anchor: 'it', type: 'string' },
        two: { $id: 'inner', $defs: { x: { $anchor: 'it', type: 'number' } } },
      },
    },
    fits: [{ a: 'x', b: 1 }],
    not: [{ a: 1 }, { b: 'x' }],
  },
  {
    rule: 'Core §8.2: what holds no schema identifies none: "$id" and "$anchor" within "enum", "const" and unknown keywords are data.',
    schema: {
      enum: [{ $id: 'https://example.com/x', $anchor: 'a' }, 'x'],
      default: { $anchor: 'a', $id: 'https://example.com/x' },
      unknown: { $anchor: 'a', type: 'null' },
    },
    fits: ['x', { $id: 'https://example.com/x', $anchor: 'a' }],
    not: [null, {}],
  },
  {
    rule: 'Core §8.2.3.1: other keywords beside "$ref" count.',
    schema: { $ref: '#/$defs/text', maxLength: 2, $defs: { text: { type: 'string' } } },
    fits: ['ab'],
    not: ['abc', 1],
  },
  {
    rule: 'RFC 6901 §3 and §6: ~0 is ~, ~1 is /, and a fragment is percent-decoded.',
    schema: {
      properties: {
        a: { $ref: '#/$defs/til~0de' },
        b: { $ref: '#/$defs/sla~1sh' },
        c: { $ref: '#/$defs/per%25cent' },
      },
      $defs: {
        'til~de': { type: 'integer' },
        'sla/sh': { type: 'string' },
        'per%cent': { type: 'null' },
      },
    },
    fits: [{ a: 1, b: 'x', c: null }],
    not: [{ a: 'x' }, { b: 1 }, { c: 1 }],
  },
  {
    rule: 'Core §9.4.2: a reference may lead to what no keyword makes a schema; it is one then.',
    schema: { $ref: '#/shapes/0', shapes: [{ type: 'array' }] },
    fits: [[]],
    not: [{}],
  },
  {
    rule: 'Core §8.2.3.2: "$dynamicRef" … if the initially resolved starting point URI includes a fragment that was created by the "$dynamicAnchor" keyword, the initial URI MUST be replaced by the URI … for the outermost schema resource in the dynamic scope that defines an identically named fragment with "$dynamicAnchor".',
    schema: {
      $id: 'https://example.com/strings',
      $ref: 'list',
      $defs: {
        element: { $dynamicAnchor: 'element', type: 'string' },
        list: {
          $id: 'list',
          type: 'array',
          items: { $dynamicRef: '#element' },
          $defs: { any: { $dynamicAnchor: 'element' } },
        },
      },
    },
    fits: [['a']],
    not: [['a', 1]],
  },
  {
    rule: 'Core §8.2.3.2: without a "$dynamicAnchor" at the starting point it is a "$ref".',
    schema: {
      $id: 'https://example.com/strings',
      $ref: 'list',
      $defs: {
        element: { $dynamicAnchor: 'element', type: 'string' },
        list: {
          $id: 'list',
          items: { $dynamicRef: '#element' },
          $defs: { any: { $anchor: 'element' } },
        },
      },
    },
    fits: [['a', 1]],
    not: [],
  },
  {
    rule: 'Core §8.2.3.2: a tree that is extended refers to its extension.',
    schema: {
      $id: 'https://example.com/strict',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: 'tree',
          $dynamicAnchor: 'node',
          type: 'object',
          properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
        },
      },
    },
    fits: [{ children: [{ data: 1 }] }],
    not: [{ children: [{ daat: 1 }] }, { daat: 1 }],
  },
  {
    rule: 'Core §8.1.1: the schema of schemas is known.',
    schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
    fits: [{ minLength: 1 }, true],
    not: [{ minLength: -1 }, { $defs: { a: { type: 'text' } } }],
  },
  {
    rule: 'Core §11.3: "unevaluatedProperties" … applies to … properties … that have not been successfully evaluated by … adjacent and nested keywords.',
    schema: {
      properties: { a: true },
      allOf: [{ patternProperties: { '^b': true } }],
      anyOf: [{ properties: { c: { const: 1 } }, required: ['c'] }, true],
      unevaluatedProperties: false,
    },
    fits: [{ a: 1, b1: 1 }, { c: 1 }],
    not: [{ d: 1 }, { c: 2 }],
  },
  {
    rule: 'Core §11.3: … by "if", "then", "else" and "dependentSchemas", where they hold.',
    schema: {
      if: { properties: { kind: { const: 'x' } }, required: ['kind'] },
      then: { properties: { x: true } },
      else: { properties: { y: true } },
      dependentSchemas: { foo: { properties: { bar: true } } },
      properties: { foo: true },
      unevaluatedProperties: false,
    },
    fits: [{ kind: 'x', x: 1 }, { y: 1 }, { foo: 1, bar: 1, y: 1 }],
    not: [{ kind: 'x', y: 1 }, { x: 1 }, { bar: 1 }],
  },
  {
    rule: 'Core §11.3: what "not" looks at is not evaluated, nor what a cousin does.',
    schema: {
      allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }],
      not: { properties: { b: { type: 'number' } }, required: ['b'] },
    },
    fits: [{}],
    not: [{ a: 1 }, { b: 'x' }],
  },
  {
    rule: 'Core §11.3: … a nested one counts.',
    schema: {
      allOf: [{ properties: { a: true }, unevaluatedProperties: { type: 'string' } }],
      unevaluatedProperties: false,
    },
    fits: [{ a: 1, b: 'x' }],
    not: [{ b: 1 }],
  },
  {
    rule: 'Core §11.3: a schema of its own for the others.',
    schema: { properties: { a: true }, unevaluatedProperties: { type: 'number' } },
    fits: [{ a: 'x', b: 1 }],
    not: [{ b: 'x' }],
  },
  {
    rule: 'Core §11.2: "unevaluatedItems" … if … "contains" … the items that it found count as evaluated.',
    schema: { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false },
    fits: [[1, 'a'], ['a']],
    not: [
      [1, 2],
      [1, 'a', 2],
    ],
  },
  {
    rule: 'Core §11.2: … of nested "contains", too.',
    schema: {
      if: { contains: { const: 'a' } },
      then: { if: { contains: { const: 'b' } }, then: { if: { contains: { const: 'c' } } } },
      unevaluatedItems: false,
    },
    fits: [[], ['a', 'a'], ['a', 'b', 'a'], ['c', 'a', 'b']],
    not: [['b'], ['c', 'a'], ['a', 'd']],
  },
  {
    rule: 'Core §11.2: … of "prefixItems" and "items" in subschemas.',
    schema: {
      prefixItems: [{ const: 1 }],
      anyOf: [{ prefixItems: [true, { const: 2 }] }, true],
      unevaluatedItems: false,
    },
    fits: [[1], [1, 2]],
    not: [
      [1, 3],
      [1, 2, 3],
    ],
  },
  {
    rule: 'Core §11.2: "items" evaluates all the rest.',
    schema: { prefixItems: [true], items: { type: 'number' }, unevaluatedItems: false },
    fits: [['a', 1, 2]],
    not: [['a', 'b']],
  },
  {
    rule: 'Validation §6.4.4 and §6.4.5: "maxContains" and "minContains" count; a "minContains" of 0 asks for none.',
    schema: { contains: { const: 1 }, minContains: 0, maxContains: 1 },
    fits: [[], [2], [1]],
    not: [[1, 1]],
  },
  {
    rule: 'Validation §6.4.4: without "contains" they have no effect.',
    schema: { minContains: 2, maxContains: 1 },
    fits: [[], [1, 1, 1]],
    not: [],
  },
  {
    rule: 'Core §10.3.2.1: every name is one, also those that a language gives a meaning.',
    schema: schemaOf(
      '{"properties":{"__proto__":{"type":"number"},"constructor":{"type":"number"},"toString":{"properties":{"length":{"type":"string"}}}}}',
    ),
    fits: [{}, json('{"__proto__":1}'), { toString: { length: 'a' } }],
    not: [json('{"__proto__":"x"}'), { constructor: 'x' }, { toString: { length: 37 } }],
  },
  {
    rule: 'Validation §6.5.3: An object instance is valid against this keyword if every item in the array is the name of a property in the instance.',
    schema: schemaOf('{"required":["__proto__","toString","constructor"]}'),
    fits: [json('{"__proto__":1,"toString":1,"constructor":1}')],
    not: [{}, json('{"__proto__":1}'), { toString: 1, constructor: 1 }],
  },
  {
    rule: 'Core §10.3.2.3: … whose name is neither in "properties" nor matches "patternProperties".',
    schema: schemaOf('{"properties":{"__proto__":true},"additionalProperties":false}'),
    fits: [json('{"__proto__":1}')],
    not: [{ a: 1 }],
  },
  {
    rule: 'Validation §6.2.1: A numeric instance is valid only if division by this keyword’s value results in an integer.',
    schema: { multipleOf: 0.01 },
    fits: [0, 4.35, 0.29, 1.13, 19.99, 1e20],
    not: [0.001, 4.355, 1e-10],
  },
  {
    rule: 'Validation §6.2.1: of small numbers.',
    schema: { multipleOf: 0.0001 },
    fits: [0.0075],
    not: [0.00751],
  },
  {
    rule: 'Validation §6.2.1: of a large one.',
    schema: { multipleOf: 0.123456789 },
    fits: [1.23456789],
    not: [1e308, 1.2345678900000001],
  },
  {
    rule: 'Validation §6.2.1: of a large one by a small one.',
    schema: { multipleOf: 1e-8 },
    fits: [12391239123, 1e308],
    not: [1e-9],
  },
  {
    rule: 'Validation §6.1.1: "integer" … any number with a zero fractional part.',
    schema: { type: 'integer' },
    fits: [1, 1.0, 1e300],
    not: [1.5, '1'],
  },
  {
    rule: 'Validation §6.1.2: An instance validates successfully … if its value is equal to one of the elements.',
    schema: { enum: [{ a: [1, 2], b: null }, 0] },
    fits: [{ b: null, a: [1, 2] }, 0],
    not: [false, { a: [2, 1], b: null }, '0'],
  },
  {
    rule: 'Core §4.2.2: 1.0 equals 1, and false is not 0.',
    schema: { const: [1, false] },
    fits: [[1.0, false]],
    not: [
      [1, 0],
      [true, false],
    ],
  },
  {
    rule: 'Validation §6.3.1: The length of a string … is … the number of its characters as defined by RFC 8259.',
    schema: { maxLength: 2, minLength: 2 },
    fits: ['ab', '💩💩'],
    not: ['💩', 'abc'],
  },
  {
    rule: 'Validation §6.4.3: the items … are unique.',
    schema: { uniqueItems: true },
    fits: [[1, true, '1', [1], { a: 1 }]],
    not: [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [1, 1.0],
    ],
  },
  {
    rule: 'Core §6.4: patterns are those of ECMA-262: \\s is every white space of Unicode.',
    schema: { pattern: '^\\s+$' },
    fits: [' \t\n\u00a0\ufeff\u2029'],
    not: ['\u200b', 'a'],
  },
  { rule: 'Core §6.4: \\S.', schema: { pattern: '^\\S$' }, fits: ['a', 'é'], not: ['\u00a0', ' '] },
  {
    rule: 'Core §6.4: \\p{…} by its long name.',
    schema: { pattern: '^\\p{Letter}+$' },
    fits: ['añΩ中'],
    not: ['a1'],
  },
  {
    rule: 'Core §6.4: \\p{…} of a script.',
    schema: { pattern: '^\\p{Script=Arabic}+$' },
    fits: ['سلام'],
    not: ['salam'],
  },
  {
    rule: 'Core §6.4: \\d and \\w are of ASCII.',
    schema: { pattern: '^[\\d\\w]+$' },
    fits: ['a1_'],
    not: ['٣', 'é'],
  },
  {
    rule: 'Core §6.4: a character may be beyond 16 bits.',
    schema: { pattern: '^🐲*$' },
    fits: ['', '🐲🐲'],
    not: ['🐉'],
  },
  {
    rule: 'Core §6.4: . is no end of a line.',
    schema: { pattern: '^.$' },
    fits: ['a'],
    not: ['\u2028', '\n'],
  },
  {
    rule: 'Core §6.4: $ is the end of the text.',
    schema: { pattern: '^a$' },
    fits: ['a'],
    not: ['a\n'],
  },
  {
    rule: 'Core §6.4: a pattern is not anchored.',
    schema: { pattern: 'b' },
    fits: ['abc'],
    not: ['ac'],
  },
  {
    rule: 'Core §10.3.2.4: "propertyNames".',
    schema: { propertyNames: { pattern: '^[a-z]+$' } },
    fits: [{ a: 1 }],
    not: [{ A: 1 }],
  },
  {
    rule: 'Core §10.2.2.4: "dependentSchemas".',
    schema: { dependentSchemas: { a: { required: ['b'] } } },
    fits: [{ b: 1 }, { a: 1, b: 1 }],
    not: [{ a: 1 }],
  },
  {
    rule: 'Validation §6.5.4: "dependentRequired".',
    schema: { dependentRequired: { a: ['b'] } },
    fits: [{}, { a: 1, b: 1 }],
    not: [{ a: 1 }],
  },
  ...[
    'date-time',
    'date',
    'time',
    'duration',
    'email',
    'idn-email',
    'hostname',
    'idn-hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
    'iri',
    'iri-reference',
    'uuid',
    'uri-template',
    'json-pointer',
    'relative-json-pointer',
    'regex',
    'of-our-own',
  ].map((format): StandardCase => ({
    rule: `Validation §7.2.2: format attributes … apply to values of one type: ${format} to texts alone.`,
    schema: { format },
    fits: [1, null, {}, []],
    not: [],
  })),
  {
    rule: 'Validation §7.3.1: dates are of RFC 3339, with its calendar.',
    schema: { format: 'date' },
    fits: ['2024-02-29'],
    not: ['2023-02-29', '2024-13-01', '2024-1-1'],
  },
  {
    rule: 'Validation §8: the keywords of content are annotations.',
    schema: {
      contentMediaType: 'application/json',
      contentEncoding: 'base64',
      contentSchema: { type: 'object' },
    },
    fits: ['not base64!', 'e30='],
    not: [],
  },
  {
    rule: 'Core §9.4.1: a schema that refers to itself is one where the value ends.',
    schema: { type: 'object', properties: { next: { $ref: '#' } }, required: ['id'] },
    fits: [{ id: 1, next: { id: 2 } }],
    not: [{ id: 1, next: {} }],
  },
  {
    rule: 'Core §7.7.1: the same schema may be applied twice.',
    schema: {
      $defs: { int: { type: 'integer' } },
      allOf: [
        { properties: { a: { $ref: '#/$defs/int' } } },
        { additionalProperties: { $ref: '#/$defs/int' } },
      ],
    },
    fits: [{ a: 1 }],
    not: [{ a: 'x' }],
  },
]
