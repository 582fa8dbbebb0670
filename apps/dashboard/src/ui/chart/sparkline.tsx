import classes from './sparkline.module.css'

interface SparkSeries {
  name: string
  /** A Mantine colour with its shade: `red.7`. */
  color: string
}

interface SparkBar {
  /** What it stands for: a day, a minute. */
  label: string
  /** One for each series. */
  values: readonly number[]
}

interface SparklineProps {
  series: readonly SparkSeries[]
  /** Oldest first. */
  bars: readonly SparkBar[]
  /** What the picture says, for those who don't see it. */
  summary: string
  heightPx?: number
}

const barWidth = 10
const gap = 2
/** What is there is seen, however little it is beside the rest. */
const leastHeight = 2

/** Stacked bars, as wide as there is room. The numbers of a bar are shown when it is hovered. */
export function Sparkline({ series, bars, summary, heightPx = 36 }: SparklineProps) {
  const highest = Math.max(1, ...bars.map(({ values }) => sumOf(values)))
  return (
    <svg
      className={classes['picture']}
      viewBox={`0 0 ${Math.max(1, bars.length) * barWidth} ${heightPx}`}
      height={heightPx}
      preserveAspectRatio="none"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it has the titles of its bars
      role="img"
      aria-label={summary}
    >
      {bars.map((bar, at) => (
        <g key={bar.label}>
          <title>{titleOf(bar, series)}</title>
          <rect x={at * barWidth} width={barWidth} height={heightPx} fill="transparent" />
          <rect
            className={classes['ground']}
            x={at * barWidth}
            y={heightPx - 1}
            width={barWidth - gap}
            height={1}
          />
          {stackOf(bar.values, highest, heightPx).map(({ y, height }, index) => (
            <rect
              key={series[index]?.name}
              x={at * barWidth}
              y={y}
              width={barWidth - gap}
              height={height}
              fill={cssOf(series[index]?.color ?? 'gray.6')}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const cssOf = (color: string) => `var(--mantine-color-${color.replace('.', '-')})`
const titleOf = ({ label, values }: SparkBar, series: readonly SparkSeries[]) =>
  `${label}: ${series.map(({ name }, at) => `${(values[at] ?? 0).toLocaleString('en')} ${name}`).join(', ')}`

/** From the ground up, in the order of the series. */
function stackOf(values: readonly number[], highest: number, heightPx: number) {
  const heights = values.map((value) =>
    value === 0 ? 0 : Math.max(leastHeight, (value / highest) * (heightPx - 2)),
  )
  // What small ones were given is taken from the tallest.
  const excess = Math.max(0, sumOf(heights) - heightPx)
  const tallest = heights.indexOf(Math.max(...heights))
  let top = heightPx
  return heights.map((height, at) => {
    const own = at === tallest ? Math.max(0, height - excess) : height
    top -= own
    return { y: top, height: own }
  })
}
