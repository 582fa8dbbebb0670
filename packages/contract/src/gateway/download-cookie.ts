/**
 * The cookie that lets a browser fetch a log file from the dashboard. Cookies are kept by host, whatever the port: the
 * gateway receives it too, and drops it in both directions.
 */
export const downloadCookieName = 'gatehouse_download'
