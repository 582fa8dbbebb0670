const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const shortDays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const isNumber = (text: string) => /^\d{1,2}$/.test(text)
const two = (text: string) => text.padStart(2, '0')

/** Common expressions, with what they mean. */
export const cronExamples = [
  { value: '*/15 * * * *', label: 'Every 15 minutes' },
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 6 * * *', label: 'Every day at 06:00' },
  { value: '0 6 * * 1-5', label: 'Monday to Friday at 06:00' },
  { value: '0 6 * * 1', label: 'Every Monday at 06:00' },
  { value: '0 6 1 * *', label: 'On day 1 of each month at 06:00' },
] as const

/** A cron expression as a sentence; the expression itself where there is no short one. */
export function cronWords(cron: string): string {
  const fields = cron.trim().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  if (fields.length !== 5 || month !== '*') return `Cron ${cron.trim()}`
  const isAnyDay = day === '*' && weekday === '*'
  if (isAnyDay && hour === '*') return hourlyWords(minute) ?? `Cron ${cron.trim()}`
  const [, every] = /^\*\/(\d{1,2})$/.exec(hour) ?? []
  if (isAnyDay && every !== undefined && minute === '0') return `Every ${every} hours`
  if (!isNumber(minute) || !isNumber(hour)) return `Cron ${cron.trim()}`
  const when = dayWords(day, weekday)
  return when === undefined ? `Cron ${cron.trim()}` : `${when} at ${two(hour)}:${two(minute)}`
}

function hourlyWords(minute: string): string | undefined {
  if (minute === '*') return 'Every minute'
  if (minute === '0') return 'Every hour'
  const [, every] = /^\*\/(\d{1,2})$/.exec(minute) ?? []
  if (every !== undefined) return `Every ${every} minutes`
  return isNumber(minute) ? `Every hour at minute ${two(minute)}` : undefined
}

function dayWords(day: string, weekday: string): string | undefined {
  if (day === '*' && weekday === '*') return 'Every day'
  if (day === '*') return weekdayWords(weekday)
  if (weekday !== '*') return undefined
  if (day.toUpperCase() === 'L') return 'On the last day of each month'
  return isNumber(day) ? `On day ${day} of each month` : undefined
}

function weekdayWords(text: string): string | undefined {
  const [from = '', to, ...more] = text.split('-').map(dayOf)
  if (more.length > 0 || from === undefined || (text.includes('-') && to === undefined))
    return undefined
  if (from === '') return undefined
  return to === undefined ? `Every ${from}` : `${from} to ${to}`
}

function dayOf(text: string): string | undefined {
  const at = isNumber(text) ? Number(text) % 7 : shortDays.indexOf(text.toUpperCase())
  return days[at]
}
