/** Work that one of all servers does at a time. */
export interface DutyOf {
  round(work: () => Promise<void>): Promise<void>
  /** False where another server has taken it over. */
  hold(): Promise<boolean>
}
