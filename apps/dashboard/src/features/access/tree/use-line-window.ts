import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Lines above and below those in sight that are drawn too. */
const spare = 8
/** Pixels, until the frame was measured. */
const assumedHeight = 480

/** Which of equally high lines are in sight of a frame that scrolls. */
export function useLineWindow(count: number, lineHeight: number) {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ first: 0, lines: Math.ceil(assumedHeight / lineHeight) })

  const look = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = frame.current ?? {}
    // In steps, so that not every pixel draws the tree again.
    const first = Math.floor(scrollTop / lineHeight / (spare / 2)) * (spare / 2)
    const lines = Math.ceil((clientHeight || assumedHeight) / lineHeight)
    setView((was) => (was.first === first && was.lines === lines ? was : { first, lines }))
  }, [lineHeight])
  useLayoutEffect(look, [look, count])

  const reveal = useCallback(
    (line: number) => {
      const { current } = frame
      if (!current) return
      const top = line * lineHeight
      const bottom = top + lineHeight - (current.clientHeight || assumedHeight)
      if (current.scrollTop > top) current.scrollTop = top
      else if (current.scrollTop < bottom) current.scrollTop = bottom
      look()
    },
    [lineHeight, look],
  )
  return {
    frame,
    onScroll: look,
    reveal,
    pageLines: Math.max(1, view.lines - 1),
    from: Math.max(0, view.first - spare),
    to: Math.min(count, view.first + view.lines + spare * 2),
  }
}
