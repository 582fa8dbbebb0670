import { useEffect, useEffectEvent } from 'react'

/** Calls back on Escape while `isActive`. */
export function useEscape(isActive: boolean, onEscape: () => void): void {
  const handleEscape = useEffectEvent(onEscape)
  useEffect(() => {
    if (!isActive) return undefined
    const handleKey = (event: KeyboardEvent) => event.key === 'Escape' && handleEscape()
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [isActive])
}
