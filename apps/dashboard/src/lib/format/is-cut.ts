import { useCallback, useState } from 'react'

/** Whether a part of an element's content is out of sight at the end of its line; `ref` goes on the element. */
export function useIsCut(): [
  ref: (element: HTMLElement | null) => (() => void) | undefined,
  isCut: boolean,
] {
  const [isCut, setIsCut] = useState(false)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const look = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element
      // From right to left it is scrolled to below zero; part of a pixel is nothing.
      setIsCut(Math.abs(scrollLeft) + clientWidth < scrollWidth - 1)
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  return [ref, isCut]
}
