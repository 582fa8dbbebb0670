// The spans of time that figures are kept for, by their begin; of an ISO 8601 moment in UTC.

export const minuteOf = (moment: string) => `${moment.slice(0, 16)}:00.000Z`
export const hourOf = (moment: string) => `${moment.slice(0, 13)}:00:00.000Z`
export const dayOf = (moment: string) => `${moment.slice(0, 10)}T00:00:00.000Z`
export const tenSecondsOf = (moment: string) => moment.slice(0, 18)
