import { Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { KeyboardEvent, MouseEvent } from 'react'
import { axisTicks, namedMarks, partsOf } from './chart-scale.ts'
import classes from './time-chart.module.css'

interface ChartSeries {
  name: string
  /** A CSS colour. */
  color: string
  /** One for each moment; null where there is none. */
  values: readonly (number | null)[]
}

interface TimeChartProps {
  title: string
  /** What the picture says, for those who don't see it. */
  summary: string
  /** Stacked bars, or a line for each series. */
  kind: 'bars' | 'lines'
  series: readonly ChartSeries[]
  /** The name of each moment, oldest first. */
  moments: readonly string[]
  format: (value: number | null) => string
  /** The least distance of two marks on the axis of values: 1 where there are no halves. */
  smallestStep?: number
  /** The moment that the pointer is at, in this picture or in one beside it. */
  at: number | null
  onAt: (at: number | null) => void
  /** A click on a moment, on one of the series or beside them. */
  onPick?: (at: number, series: string | undefined) => void
}

const plot = { height: 170, left: 52, right: 8, top: 8, bottom: 22 }
const tickCount = 4
const nameWidth = 76

/** Values over time. The legend shows those of the moment that the pointer is at. */
export function TimeChart(props: TimeChartProps) {
  const { title, summary, kind, series, moments, format, smallestStep, at, onAt, onPick } = props
  const { ref, width } = useElementSize()
  const ticks = axisTicks(highestOf(series, kind), tickCount, smallestStep)
  const inner = Math.max(0, width - plot.left - plot.right)
  const step = inner / Math.max(1, moments.length)
  const scale: Scale = {
    x: (moment) => plot.left + (moment + 0.5) * step,
    y: (value) => plot.top + plot.height * (1 - value / (ticks.at(-1) ?? 1)),
    step,
  }
  const momentOf = ({ clientX, currentTarget }: MouseEvent<SVGSVGElement>) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - plot.left
    const moment = Math.floor(x / step)
    return moment >= 0 && moment < moments.length ? moment : null
  }
  const handleClick = (event: MouseEvent<SVGSVGElement>) => {
    const { target } = event
    const moment = momentOf(event)
    const picked = target instanceof Element ? target.getAttribute('data-series') : null
    if (moment !== null) onPick?.(moment, picked ?? undefined)
  }
  return (
    <div ref={ref} className={classes['chart']} {...keysOf(props)}>
      <Text size="sm" fw={600}>
        {title}
        <Text span size="sm" c="dimmed" fw={400}>
          {at !== null && ` at ${moments[at] ?? ''}`}
        </Text>
      </Text>
      <Legend series={series} at={at} format={format} />
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Enter does it by keys */}
      <svg
        className={classes['picture']}
        width={width}
        height={plot.top + plot.height + plot.bottom}
        onPointerMove={(event) => onAt(momentOf(event))}
        onPointerLeave={() => onAt(null)}
        onClick={handleClick}
        style={onPick && at !== null ? { cursor: 'pointer' } : {}}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn here
        role="img"
        aria-label={summary}
      >
        <ValueAxis ticks={ticks} scale={scale} end={width - plot.right} format={format} />
        <TimeAxis moments={moments} room={inner / nameWidth} scale={scale} />
        {at !== null && (
          <line
            className={classes['crosshair']}
            x1={scale.x(at)}
            x2={scale.x(at)}
            y1={plot.top}
            y2={plot.top + plot.height}
          />
        )}
        {kind === 'bars' ? (
          <Bars series={series} moments={moments} scale={scale} />
        ) : (
          <Lines series={series} scale={scale} at={at} />
        )}
      </svg>
    </div>
  )
}

/** By keys the cross-hair is moved as a slider is, and Enter picks; what it is at is read out. */
function keysOf(props: TimeChartProps) {
  const { title, summary, series, moments, format, at, onAt, onPick } = props
  const last = moments.length - 1
  const words = (moment: number) =>
    series.map(({ name, values }) => `${name} ${format(values[moment] ?? null)}`).join(', ')
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-label': title,
    'aria-valuemin': 0,
    'aria-valuemax': last,
    'aria-valuenow': at ?? last,
    'aria-valuetext': at === null ? summary : `${moments[at] ?? ''}: ${words(at)}`,
    onBlur: () => onAt(null),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && at !== null) return onPick?.(at, undefined)
      const to = placeAfter(event.key, at, last)
      if (to === undefined) return undefined
      event.preventDefault()
      return onAt(to)
    },
  }
}

/** Where a key moves the cross-hair to; undefined for keys that don't move it. Without one it begins at the end. */
function placeAfter(key: string, at: number | null, last: number): number | null | undefined {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'Escape') return at === null ? undefined : null
  const step = steps[key]
  if (step === undefined) return undefined
  return at === null ? last : Math.min(last, Math.max(0, at + step))
}

interface Scale {
  x: (moment: number) => number
  y: (value: number) => number
  /** Pixels from one moment to the next. */
  step: number
}

function highestOf(series: readonly ChartSeries[], kind: TimeChartProps['kind']): number {
  const length = series[0]?.values.length ?? 0
  let highest = 0
  for (let at = 0; at < length; at++) {
    const values = series.map(({ values }) => values[at] ?? 0)
    const top =
      kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
    highest = Math.max(highest, top)
  }
  return highest
}

function Legend({ series, at, format }: Pick<TimeChartProps, 'series' | 'at' | 'format'>) {
  return (
    <ul className={classes['legend']} aria-hidden>
      {series.map(({ name, color, values }) => (
        <li key={name}>
          <i style={{ background: color }} />
          {name}
          {at !== null && <b>{format(values[at] ?? null)}</b>}
        </li>
      ))}
    </ul>
  )
}

interface ValueAxisProps extends Pick<TimeChartProps, 'format'> {
  ticks: readonly number[]
  scale: Scale
  end: number
}

function ValueAxis({ ticks, scale, end, format }: ValueAxisProps) {
  return (
    <g className={classes['axis']}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={plot.left} x2={end} y1={scale.y(tick)} y2={scale.y(tick)} />
          <text x={plot.left - 8} y={scale.y(tick)} dy="0.35em" textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
    </g>
  )
}

interface TimeAxisProps extends Pick<TimeChartProps, 'moments'> {
  /** How many names fit. */
  room: number
  scale: Scale
}

function TimeAxis({ moments, room, scale }: TimeAxisProps) {
  return (
    <g className={classes['axis']}>
      {namedMarks(moments.length, Math.floor(room)).map((at) => (
        <text key={at} x={scale.x(at)} y={plot.top + plot.height + 16} textAnchor="middle">
          {moments[at]}
        </text>
      ))}
    </g>
  )
}

/** What is there is seen, however little it is beside the rest. */
const leastHeight = 1.5

function Bars({
  series,
  moments,
  scale,
}: Pick<TimeChartProps, 'series' | 'moments'> & { scale: Scale }) {
  const width = Math.max(1, scale.step - (scale.step > 6 ? 2 : 0.5))
  return moments.map((moment, at) => {
    let sum = 0
    return (
      <g key={moment + String(at)}>
        {series.map(({ name, color, values }) => {
          const value = values[at] ?? 0
          if (value === 0) return null
          const bottom = scale.y(sum)
          sum += value
          const height = Math.max(leastHeight, bottom - scale.y(sum))
          return (
            <rect
              key={name}
              data-series={name}
              x={scale.x(at) - width / 2}
              y={bottom - height}
              width={width}
              height={height}
              fill={color}
            />
          )
        })}
      </g>
    )
  })
}

function Lines({ series, scale, at }: Pick<TimeChartProps, 'series' | 'at'> & { scale: Scale }) {
  return series.map(({ name, color, values }) => {
    const points = partsOf(values).map((part) =>
      part.map((point) => `${scale.x(point.at)} ${scale.y(point.value)}`),
    )
    const here = at === null ? null : (values[at] ?? null)
    return (
      <g key={name} stroke={color} className={classes['line']}>
        <path d={points.map((part) => `M${part.join('L')}`).join('')} />
        {/* A line of no length with round ends is a dot: so a lone value is seen too. */}
        <path
          className={classes['dots']}
          d={points
            .flat()
            .map((point) => `M${point}h0`)
            .join('')}
        />
        {at !== null && here !== null && (
          <circle cx={scale.x(at)} cy={scale.y(here)} r={3.5} fill={color} stroke="none" />
        )}
      </g>
    )
  })
}
