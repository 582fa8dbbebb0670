import type { ExactJson, ExactObject } from './exact/exact-json.ts'
import { isExactObject, ownValue } from './exact/exact-json.ts'
import { emptyObject, objectFrom, orderedObject } from './exact/exact-object.ts'
import { mappingLimits } from './mapping-limits.ts'
import type { PathSegment } from './paths/path-segments.ts'
import type { Reading } from './paths/read-path.ts'

/** A path cut at its `[*]`: `a[*].b.c` is `[a]` and `[b, c]`. Always one part more than `[*]`. */
type PathParts = readonly (readonly Step[])[]
type Step = Exclude<PathSegment, { kind: 'all' }>
type Container = ExactObject | ExactJson[]
type Key = string | number

/** Thrown when the rows build far more than a result may hold; `mapData` turns it into an error. */
export class TooMuchWork extends Error {}

// Bounds memory before the size of the result is known: what fits into 5 MiB needs much less.
const workBudget = 4_000_000
const workPerContainer = 8

export function cutAtAll(segments: readonly PathSegment[]): PathParts {
  let part: Step[] = []
  const parts = [part]
  for (const segment of segments) {
    if (segment.kind === 'all') parts.push((part = []))
    else part.push(segment)
  }
  return parts
}

/**
 * Builds the result of a mapping. Values are put in as they are, shared with the source; a part that
 * a later row writes into is copied first, once, so the source is never changed. New objects have
 * no prototype. A value in the way of a path is replaced: a later row overwrites an earlier one.
 */
export class ResultWriter {
  // One slot that holds the whole document, so that the root is written like any other place.
  readonly #root: ExactJson[] = []
  readonly #owned = new Set<object>()
  readonly #hasNumberKeys: boolean
  #work = 0

  /** `hasNumberKeys`: a path that is written to names a key like `10`, whose place has to be kept. */
  constructor(hasNumberKeys = false) {
    this.#hasNumberKeys = hasNumberKeys
  }

  /** What was built; an empty object when no row wrote anything. */
  result(): ExactJson {
    return this.#root[0] ?? (this.#root.length === 0 ? emptyObject() : null)
  }

  /** Writes at a path without `[*]`. */
  write(part: readonly Step[], value: ExactJson): void {
    this.#writeAt(this.#root, 0, part, value)
  }

  /**
   * Zips lists by index: each `[*]` of the reading is one of the path. A gap gets `fill`, or null
   * where a whole inner list is missing; without `fill` its key is left out.
   */
  zip(parts: PathParts, reading: Reading, fill: ExactJson | undefined): void {
    this.#zipAt(this.#root, 0, parts, 0, reading, fill)
  }

  /**
   * Elements that `writeEach` would write to: 0 for a list that is empty, undefined when there is no
   * list at the path. Stops counting once past the limit. `onVisit` receives the number of elements
   * that are read next.
   */
  countEach(parts: PathParts, onVisit?: (elements: number) => void): number | undefined {
    let found: number | undefined
    const visit = (node: ExactJson | undefined, level: number) => {
      if (level === parts.length - 1) {
        found = (found ?? 0) + 1
        return
      }
      const list = lookUp(node, parts[level] ?? [])
      if (!Array.isArray(list)) return
      if (list.length === 0) found ??= 0
      onVisit?.(list.length)
      for (const item of list) {
        if (found !== undefined && found > mappingLimits.elements) return
        visit(item, level + 1)
      }
    }
    visit(this.#root[0], 0)
    return found
  }

  /** Writes one value into each element of the lists that exist at the path. */
  writeEach(parts: PathParts, value: ExactJson): void {
    this.#writeEachAt(this.#root, 0, parts, 0, value)
  }

  #writeAt(start: Container, startKey: Key, part: readonly Step[], value: ExactJson): void {
    const [container, key] = this.#descend(start, startKey, part)
    this.#put(container, key, value)
  }

  #zipAt(
    container: Container,
    key: Key,
    parts: PathParts,
    level: number,
    reading: Reading,
    fill: ExactJson | undefined,
  ): void {
    const part = parts[level] ?? []
    if (reading.kind === 'value') return this.#writeAt(container, key, part, reading.value)
    if (reading.kind === 'gap') {
      if (fill === undefined) return this.#touch(container, key, part[0])
      return this.#writeAt(container, key, part, level === parts.length - 1 ? fill : null)
    }
    const [holder, holderKey] = this.#descend(container, key, part)
    const list = this.#ensure(holder, holderKey, 'index')
    for (let index = 0; index < reading.items.length; index++) {
      const item = reading.items[index]
      if (item) this.#zipAt(list, index, parts, level + 1, item, fill)
    }
  }

  #writeEachAt(
    container: Container,
    key: Key,
    parts: PathParts,
    level: number,
    value: ExactJson,
  ): void {
    const part = parts[level] ?? []
    if (level === parts.length - 1) return this.#writeAt(container, key, part, value)
    if (!Array.isArray(lookUp(child(container, key), part))) return
    const [holder, holderKey] = this.#descend(container, key, part)
    const list = this.#ensure(holder, holderKey, 'index')
    for (let index = 0; index < lengthOf(list); index++) {
      this.#writeEachAt(list, index, parts, level + 1, value)
    }
  }

  /** Walks from a place along a path, making what is missing; returns where its last step writes. */
  #descend(start: Container, startKey: Key, part: readonly Step[]): [Container, Key] {
    let container = start
    let key = startKey
    for (const step of part) {
      container = this.#ensure(container, key, step.kind)
      key = step.kind === 'name' ? step.name : step.index
    }
    return [container, key]
  }

  /** Makes sure that a place holds an object (for a name) or a list (for an index) of our own. */
  #ensure(container: Container, key: Key, kind: Step['kind']): Container {
    const found = child(container, key)
    let made: Container
    if (kind === 'index' && Array.isArray(found)) {
      if (this.#owned.has(found)) return found
      this.#charge(found.length)
      made = found.slice()
    } else if (kind === 'name' && found !== undefined && isExactObject(found)) {
      if (this.#owned.has(found)) return found
      made = this.#copyOf(found)
    } else {
      made = kind === 'index' ? [] : this.#hasNumberKeys ? orderedObject() : emptyObject()
    }
    this.#charge(workPerContainer)
    this.#owned.add(made)
    this.#put(container, key, made)
    return made
  }

  #copyOf(object: ExactObject): ExactObject {
    const entries = Object.entries(object)
    this.#charge(entries.length)
    return this.#hasNumberKeys ? Object.assign(orderedObject(), object) : objectFrom(entries)
  }

  /** An element whose key is left out still takes its place in the list. */
  #touch(container: Container, key: Key, step: Step | undefined): void {
    if (child(container, key) !== undefined) return
    if (step === undefined) this.#put(container, key, null)
    else this.#ensure(container, key, step.kind)
  }

  #put(container: Container, key: Key, value: ExactJson): void {
    if (!Array.isArray(container)) container[key] = value
    else if (typeof key === 'number') {
      if (key > container.length) this.#charge(key - container.length)
      while (container.length < key) container.push(null)
      container[key] = value
    }
  }

  #charge(work: number): void {
    this.#work += work
    if (this.#work > workBudget) throw new TooMuchWork()
  }
}

function child(container: Container, key: Key): ExactJson | undefined {
  if (Array.isArray(container)) return typeof key === 'number' ? container[key] : undefined
  return ownValue(container, String(key))
}

function lookUp(start: ExactJson | undefined, part: readonly Step[]): ExactJson | undefined {
  let node = start
  for (const step of part) {
    if (node === undefined || node === null || typeof node !== 'object') return undefined
    if (step.kind === 'index') node = Array.isArray(node) ? node[step.index] : undefined
    else node = isExactObject(node) ? ownValue(node, step.name) : undefined
  }
  return node
}

function lengthOf(container: Container): number {
  return Array.isArray(container) ? container.length : 0
}
