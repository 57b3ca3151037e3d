import AccountsDatabase
import ServiceLifecycle

/// Publishes in this process the topics that other processes publish, such as other servers and `products import`.
struct TopicFollowing: Service {
    let topics: any SharedTopics

    func run() async throws {
        try? await cancelWhenGracefulShutdown { try await topics.follow() }
    }
}
