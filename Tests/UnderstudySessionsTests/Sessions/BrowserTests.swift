@testable import UnderstudySessions

struct BrowserTests {
    static let mozilla = "Mozilla/5.0"
    static let chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0"

    func named(_ userAgent: String) -> Browser? { userAgent.bytes.withUnsafeBufferPointer { Browser(userAgent: $0) } }

    @Test(arguments: [
        ("\(mozilla) (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        ("\(mozilla) (Windows NT 10.0; Win64; x64) \(chrome) Safari/537.36", "Chrome, Windows"),
        ("\(mozilla) (Windows NT 10.0; Win64; x64) \(chrome) Safari/537.36 Edg/141.0.0.0", "Edge, Windows"),
        ("\(mozilla) (X11; CrOS x86_64 14541.0.0) \(chrome) Safari/537.36", "Chrome, ChromeOS"),
        ("\(mozilla) (Linux; Android 10; K) \(chrome) Mobile Safari/537.36", "Chrome, Android"),
        ("\(mozilla) (Linux; Android 15; SM-S928B) SamsungBrowser/28.0 \(chrome)", "Samsung Internet, Android"),
        ("\(mozilla) (Macintosh; Intel Mac OS X 10_15_7) Version/26.0 Safari/605.1.15", "Safari, macOS"),
        ("\(mozilla) (iPhone; CPU iPhone OS 26_0 like Mac OS X) CriOS/141.0 Safari/604.1", "Chrome, iPhone"),
        ("\(mozilla) (Windows NT 10.0; Win64; x64) \(chrome) Safari/537.36 OPR/122.0.0.0", "Opera, Windows"),
        ("\(mozilla) (Linux; Android 10; K) \(chrome) Mobile Safari/537.36 EdgA/141.0.0.0", "Edge, Android"),
        ("\(mozilla) (iPhone; CPU iPhone OS 26_0 like Mac OS X) EdgiOS/141.0 Safari/604.1", "Edge, iPhone"),
        ("\(mozilla) (iPad; CPU OS 26_0 like Mac OS X) FxiOS/140.0 Safari/605.1.15", "Firefox, iPad"),
        ("Firefox/140.0", "Firefox"), ("OPR/", "Opera"), (" ".repeated(504) + "Firefox/", "Firefox"),
    ])
    func `a browser is known by its kind and its system, and by nothing else`(userAgent: String, name: String) throws {
        let browser = try #require(named(userAgent))
        #expect(browser.description == name)
        #expect(Browser(name) == browser)
    }

    @Test(arguments: ["", "curl/8.5.0", "Firefox", "firefox/1", "Linux", " ".repeated(505) + "Firefox/"])
    func `another client has no name`(userAgent: String) { #expect(named(userAgent) == nil) }

    @Test(arguments: ["", "Lynx", ", Linux", "firefox, Linux"])
    func `a text that stands for no browser is not read as one`(stored: String) { #expect(Browser(stored) == nil) }
}
