/** Which fields and elements of a value the keywords of a schema have looked at (core §11.1). */
export class Evaluated {
  hasAllFields = false
  readonly fields = new Set<string>()
  hasAllItems = false
  /** The first ones. */
  itemCount = 0
  readonly items = new Set<number>()

  hasField(name: string): boolean {
    return this.hasAllFields || this.fields.has(name)
  }

  hasItem(at: number): boolean {
    return this.hasAllItems || at < this.itemCount || this.items.has(at)
  }

  add(other: Evaluated): void {
    this.hasAllFields ||= other.hasAllFields
    this.hasAllItems ||= other.hasAllItems
    this.itemCount = Math.max(this.itemCount, other.itemCount)
    for (const name of other.fields) this.fields.add(name)
    for (const at of other.items) this.items.add(at)
  }
}
