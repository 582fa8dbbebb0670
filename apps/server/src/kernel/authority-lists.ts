/** What an authority says that it has, of the days that were asked for. */
export interface AuthorityList {
  /** Of the comparison that asks for it. */
  name: string
  /** Null: of every workflow. */
  workflowId: number | null
  /** Blank: of both. */
  kind: '' | 'tax' | 'credit'
  /** Blank: of every register. */
  register: string
  references: readonly string[]
  /** Why there is no list. */
  problem: string | null
}

/** Asks the authorities of all comparisons for their lists from this moment until now. */
export type ReadAuthorityLists = (since: string) => Promise<AuthorityList[]>
