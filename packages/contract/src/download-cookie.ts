/**
 * The cookie that lets a browser fetch a log file from the dashboard. Cookies are kept by host, whatever the port: the
 * gateway is sent it too, and passes it on in neither direction.
 */
export const downloadCookieName = 'gatehouse_download'
