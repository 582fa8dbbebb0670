import { useEffect, useRef } from 'react'

/**
 * The callback, until the component is gone: what ends late does not close the dialog that was opened
 * since, or overwrite what it shows.
 */
export function useWhileShown<Args extends unknown[]>(
  callback: (...args: Args) => void,
): (...args: Args) => void {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return (...args) => {
    if (isShown.current) callback(...args)
  }
}
