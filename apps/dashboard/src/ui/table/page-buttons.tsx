import { Button } from '@mantine/core'
import classes from './page-buttons.module.css'

interface PageButtonsProps {
  page: number
  pageCount: number
  onChange: (page: number) => void
  /** Off where the specification has neither First nor Last. */
  hasEnds?: boolean
}

const windowSize = 5

/** Page numbers to offer: at most five, around the current page as far as the ends allow. */
export function pageWindow(page: number, pageCount: number): number[] {
  const first = Math.max(1, Math.min(page - Math.floor(windowSize / 2), pageCount - windowSize + 1))
  const length = Math.min(windowSize, pageCount)
  return Array.from({ length }, (_, index) => first + index)
}

/** First, Previous, numbers, Next, Last (spec: screens). A change outside 1..pageCount is ignored. */
export function PageButtons({ page, pageCount, onChange, hasEnds = true }: PageButtonsProps) {
  function goTo(target: number) {
    if (target >= 1 && target <= pageCount && target !== page) onChange(target)
  }
  const step = (label: string, target: number, isAtEnd: boolean) => (
    <Button variant="default" size="compact-sm" disabled={isAtEnd} onClick={() => goTo(target)}>
      {label}
    </Button>
  )
  const isFirst = page <= 1
  const isLast = page >= pageCount
  return (
    <nav aria-label="Pagination" className={classes['buttons']}>
      {hasEnds && step('First', 1, isFirst)}
      {step('Previous', page - 1, isFirst)}
      {pageWindow(page, pageCount).map((number) => (
        <Button
          key={number}
          size="compact-sm"
          variant={number === page ? 'filled' : 'default'}
          onClick={() => goTo(number)}
          aria-label={`Page ${number}`}
          {...(number === page ? { 'aria-current': 'page' as const } : {})}
        >
          {number}
        </Button>
      ))}
      {step('Next', page + 1, isLast)}
      {hasEnds && step('Last', pageCount, isLast)}
    </nav>
  )
}
