import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'

/** Pixels above and below the visible part that have their rows too, so that scrolling shows no gap. */
const margin = 320
/** Of a place that was not measured yet. */
const assumedHeight = 720

interface RowWindowOptions {
  /** One for each row, in their order. */
  ids: readonly string[]
  /** Of a row that was not measured yet; those that were give a better one. */
  rowHeight: number
  /** Rows that are drawn wherever they are: the one with the focus. */
  kept: readonly (string | undefined)[]
}

interface DrawnRow {
  index: number
  /** The space of the rows before it that are not drawn. */
  before: number
}

/**
 * Which rows of a long list are drawn: those in sight, and some around them. Rows may differ in height; each is
 * measured once it is drawn. `row` goes on each row as its ref, with the id in `data-row`.
 */
export function useRowWindow<Frame extends HTMLElement>({
  ids,
  rowHeight,
  kept,
}: RowWindowOptions) {
  const frame = useRef<Frame>(null)
  const [view, setView] = useState({ top: 0, height: assumedHeight })
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(noHeights)
  const observer = useObserver(setHeights)

  const look = useCallback(() => {
    const { current } = frame
    if (!current) return
    // In steps, so that not every pixel draws the list again.
    const top = Math.floor(current.scrollTop / (margin / 2)) * (margin / 2)
    const height = Math.ceil((current.clientHeight || assumedHeight) / margin) * margin
    setView((was) => (was.top === top && was.height === height ? was : { top, height }))
  }, [])
  useLayoutEffect(look, [look, ids.length])
  useEffect(() => {
    if (!frame.current || !('ResizeObserver' in globalThis)) return undefined
    const resizes = new ResizeObserver(look)
    resizes.observe(frame.current)
    return () => resizes.disconnect()
  }, [look])

  return useMemo(() => {
    const assumed = averageOf(heights) ?? rowHeight
    const always = new Set(kept)
    const drawn: DrawnRow[] = []
    let at = 0
    let before = 0
    for (const [index, id] of ids.entries()) {
      const height = heights.get(id) ?? assumed
      const isNear = at + height >= view.top - margin && at <= view.top + view.height + margin
      if (isNear || always.has(id)) {
        drawn.push({ index, before })
        before = 0
      } else before += height
      at += height
    }
    return { frame, row: observer, onScroll: look, drawn, after: before }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `kept` is a new list with each render
  }, [ids, heights, rowHeight, view, look, observer, ...kept])
}

const noHeights: ReadonlyMap<string, number> = new Map()

function averageOf(heights: ReadonlyMap<string, number>): number | undefined {
  if (heights.size === 0) return undefined
  return [...heights.values()].reduce((sum, height) => sum + height, 0) / heights.size
}

/** A ref for every row, which tells how high the row is, and when that changes. */
function useObserver(
  onHeights: (
    change: (heights: ReadonlyMap<string, number>) => ReadonlyMap<string, number>,
  ) => void,
) {
  const [observer] = useState(() =>
    'ResizeObserver' in globalThis
      ? new ResizeObserver((entries) => onHeights((heights) => withHeights(heights, entries)))
      : undefined,
  )
  useEffect(() => () => observer?.disconnect(), [observer])
  return useCallback(
    (row: HTMLElement | null) => {
      if (!row) return undefined
      observer?.observe(row)
      return () => observer?.unobserve(row)
    },
    [observer],
  )
}

function withHeights(
  heights: ReadonlyMap<string, number>,
  entries: readonly ResizeObserverEntry[],
) {
  const measured = entries.flatMap(({ target }) => {
    const { offsetHeight, dataset } = target as HTMLElement
    const id = dataset['row']
    return id === undefined || offsetHeight === 0 || heights.get(id) === offsetHeight
      ? []
      : [[id, offsetHeight] as const]
  })
  return measured.length === 0 ? heights : new Map([...heights, ...measured])
}
