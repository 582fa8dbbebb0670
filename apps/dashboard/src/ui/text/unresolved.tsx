import {
  createContext,
  useContext,
  useEffect,
  useId,
  useMemo,
  useState,
  type ReactNode,
} from 'react'

interface Unresolved {
  hasSome: boolean
  set: (id: string, isUnresolved: boolean) => void
}

const UnresolvedContext = createContext<Unresolved>({ hasSome: false, set: () => undefined })

/**
 * Knows whether a field inside shows what is not the form's value, as a search text that nothing was chosen
 * for. What the screen shows has to be what is sent: buttons that send ask `useHasUnresolved`.
 */
export function UnresolvedFields({ children }: { children: ReactNode }) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const hasSome = ids.size > 0
  const value = useMemo(
    () => ({
      hasSome,
      set: (id: string, isUnresolved: boolean) =>
        setIds((ids) => {
          if (ids.has(id) === isUnresolved) return ids
          return new Set(isUnresolved ? [...ids, id] : [...ids].filter((each) => each !== id))
        }),
    }),
    [hasSome],
  )
  return <UnresolvedContext value={value}>{children}</UnresolvedContext>
}

export const useHasUnresolved = () => useContext(UnresolvedContext).hasSome

/** Reports a field that shows something else than its value. */
export function useUnresolved(isUnresolved: boolean): void {
  const id = useId()
  const { set } = useContext(UnresolvedContext)
  useEffect(() => {
    set(id, isUnresolved)
    return () => set(id, false)
  }, [set, id, isUnresolved])
}
