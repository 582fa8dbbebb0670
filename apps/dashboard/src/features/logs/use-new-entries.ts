import { useState } from 'react'
import type { LogPage } from '@gatehouse/contract'

interface Following {
  file: string
  /** The newest entry when following began. */
  since: number
}

/** Which entries have come in since they are followed: those behind this place; Infinity for none. */
export function useNewEntries(page: LogPage | undefined, isFollowing: boolean): number {
  const [following, setFollowing] = useState<Following>()
  const file = page?.current_file
  if (!isFollowing && following) setFollowing(undefined)
  if (isFollowing && page && file && following?.file !== file)
    setFollowing({ file, since: page.logs[0]?.id ?? -1 })
  return following?.since ?? Infinity
}
