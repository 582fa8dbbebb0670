import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

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
  const [address, setAddress] = useSearchParams()
  const filter = useMemo(() => read(address), [address, read])

  function setFilter(changes: Partial<Record<Name, string | null>>) {
    setAddress(
      (current) => {
        const next = new URLSearchParams(current)
        next.delete('page')
        for (const [name, value] of Object.entries<string | null | undefined>(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )
  }
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
