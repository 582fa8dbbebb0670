import { useMemo } from 'react'
import { useScreenAddress } from './screen-address.ts'

export interface AddressFilter<Filter, Name extends string> {
  filter: Filter
  /** Blank or null removes the filter. */
  setFilter: (changes: Partial<Record<Name, string | null>>) => void
  clear: () => void
}

/**
 * The filters of a list, kept in the address so that links can hold them. A change goes back to the
 * first page. `read` must be the same function on every render.
 */
export function useAddressFilter<Filter, Name extends string>(
  names: readonly Name[],
  read: (address: URLSearchParams) => Filter,
): AddressFilter<Filter, Name> {
  const { address, change } = useScreenAddress()
  const filter = useMemo(() => read(address), [address, read])

  const setFilter = (changes: Partial<Record<Name, string | null>>) =>
    change({ ...changes, page: undefined }, { replace: true })
  return {
    filter,
    setFilter,
    clear: () => {
      const blank: Partial<Record<Name, null>> = {}
      for (const name of names) blank[name] = null
      setFilter(blank)
    },
  }
}
