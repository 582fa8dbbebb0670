import type { ExactJson, ExactObject } from './exact-types.ts'

/**
 * An object without a prototype, whose keys keep the order they came in, but for those that are whole
 * numbers: engines put them first (ECMA-262 §10.1.11). Where such keys can occur, use `orderedObject`
 * or `objectFrom`.
 */
export function emptyObject(): ExactObject {
  // Not Object.create(null): V8 keeps those as hash tables, three times as large and as slow to make.
  const object: ExactObject = {}
  Object.setPrototypeOf(object, null)
  return object
}

/**
 * An empty object that keeps the order of all its keys, whole numbers too: `{"b":1,"10":2}` leaves as
 * it came. It reads and writes like any other and costs more, so take it where it is needed.
 */
export function orderedObject(): ExactObject {
  const order = new Set<string>()
  return new Proxy(emptyObject(), {
    defineProperty(target, key, descriptor) {
      const isDefined = Reflect.defineProperty(target, key, descriptor)
      if (isDefined && typeof key === 'string') order.add(key)
      return isDefined
    },
    deleteProperty(target, key) {
      const isDeleted = Reflect.deleteProperty(target, key)
      if (isDeleted && typeof key === 'string') order.delete(key)
      return isDeleted
    },
    ownKeys: () => [...order],
  })
}

/** An object of these entries in their order; the cheap kind where the order needs no help. */
export function objectFrom(entries: readonly (readonly [string, ExactJson])[]): ExactObject {
  const object = entries.some(([key]) => isNumberKey(key)) ? orderedObject() : emptyObject()
  for (const [key, value] of entries) object[key] = value
  return object
}

/** Keys that engines move to the front, and some longer ones beside them. */
export function isNumberKey(key: string): boolean {
  // The first character decides for most keys.
  const first = key.charCodeAt(0)
  return first >= 0x30 && first <= 0x39 && /^\d{1,10}$/.test(key)
}
