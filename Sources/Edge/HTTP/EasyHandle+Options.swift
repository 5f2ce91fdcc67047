internal import CCurl
internal import EventLoop
internal import Time

extension EasyHandle {
    /// Sets all options of a request. Returns false if libcurl refuses one.
    func set(_ target: WebAddress, _ configuration: HTTPConfiguration) -> Bool {
        setLimits(configuration) && set(CURLOPT_URL, target.text)
            && set(CURLOPT_USERAGENT, configuration.userAgent)
            && set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
            && set(CURLOPT_PROTOCOLS_STR, "http,https")
            // Do not rely on the distribution's default. The second option is for a proxy that is reached through
            // TLS.
            && set(CURLOPT_SSLVERSION, alertd_curl_tls_1_2)
            && set(CURLOPT_PROXY_SSLVERSION, alertd_curl_tls_1_2)
            && (configuration.authorityFile.map(trust) ?? true)
            && setProxy(configuration.proxy, for: target)
    }

    /// Makes the request send a body.
    func set(body: [UInt8], method: String) -> Bool {
        guard set(CURLOPT_POST, 1), set(CURLOPT_POSTFIELDSIZE, body.count), set(copying: body) else { return false }
        return set(CURLOPT_CUSTOMREQUEST, method)
    }

    /// Sets all options for sending a message to a mail server. Returns false if libcurl refuses one.
    func set(_ mail: OutgoingMail, _ configuration: HTTPConfiguration) -> Bool {
        let server = mail.server
        let encryption = server.isLoopback ? alertd_curl_use_tls_if_offered : alertd_curl_use_tls_always
        return setLimits(configuration) && set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
            && set(CURLOPT_URL, server.address) && set(CURLOPT_USE_SSL, encryption)
            && set(CURLOPT_SSLVERSION, alertd_curl_tls_1_2)
            && (configuration.authorityFile.map(trust) ?? true)
            && set(CURLOPT_MAIL_FROM, "<\(mail.sender)>") && set(recipients: mail.recipients)
            && (mail.user.map { set(CURLOPT_USERNAME, $0) } ?? true)
            && (mail.password.map { set(CURLOPT_PASSWORD, $0) } ?? true)
            // Mail does not go through the proxy for web requests.
            && set(CURLOPT_PROXY, "") && set(CURLOPT_UPLOAD, 1)
    }

    /// Sets all options for a connection without a request. Returns false if libcurl refuses one.
    func setConnection(to target: WebAddress, _ configuration: HTTPConfiguration) -> Bool {
        setLimits(configuration) && set(CURLOPT_URL, target.text) && set(CURLOPT_PROTOCOLS_STR, "http")
            && set(CURLOPT_PROXY_SSLVERSION, alertd_curl_tls_1_2)
            && (configuration.authorityFile.map(trust) ?? true)
            && setProxy(configuration.proxy, for: target) && set(CURLOPT_HTTPPROXYTUNNEL, 1)
            && set(CURLOPT_CONNECT_ONLY, 1)
    }

    /// Sets the proxy. Requests to this machine never go through one.
    private func setProxy(_ proxy: ProxyAddress?, for target: WebAddress) -> Bool {
        if target.isLoopback { return set(CURLOPT_PROXY, "") && set(CURLOPT_NOPROXY, "") }
        guard set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1) else { return false }
        guard let proxy else { return true }
        // Environment variables must not add exceptions.
        return set(CURLOPT_PROXY, proxy.text) && set(CURLOPT_NOPROXY, "")
    }

    /// Makes the request conditional on a change since this time, which is rounded down to seconds.
    func set(ifModifiedSince time: WallTime?) -> Bool {
        guard let time else { return true }
        return set(CURLOPT_TIMECONDITION, alertd_curl_if_modified_since)
            && set(CURLOPT_TIMEVALUE, Int(time.milliseconds / 1_000))
    }

    private func setLimits(_ configuration: HTTPConfiguration) -> Bool {
        // 0 would mean libcurl's default of five minutes.
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(configuration.connectLimit.count, 1), Int64(Int32.max))))
            && set(CURLOPT_NOSIGNAL, 1)
            && set(CURLOPT_TCP_KEEPALIVE, 1)
            // A single request at a time gains nothing from HTTP/2. Also, libcurl reads HTTP/2 frames for as long as
            // they arrive, so a server that sends pings or settings endlessly would block the loop.
            && set(CURLOPT_HTTP_VERSION, alertd_curl_http_1_1)
            // With this size, a response of 100 kB is read in two turns of the loop instead of seven.
            && set(CURLOPT_BUFFERSIZE, 65_536)
            // A pending name lookup must not block the loop when the request is cancelled.
            && set(CURLOPT_QUICK_EXIT, 1)
    }

    /// Trusts the certificates in the file and no others.
    private func trust(_ file: String) -> Bool {
        set(CURLOPT_CAINFO, file) && set(CURLOPT_CAPATH, nil)
    }
}
