// The part of SwiftUI that the examples use, so that they compile on Linux. The declarations, including their isolation, are
// Apple's. They do nothing.
import Foundation
import Observation
import UIKit

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("A primitive view has no body") }
}

public struct EmptyView: View {
    nonisolated public init() {}
    public var body: Never { fatalError("A primitive view has no body") }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("A primitive view has no body") }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

public struct Text: View {
    public init(_ text: String) {}
    public var body: Never { fatalError("A primitive view has no body") }
}

public struct ProgressView: View {
    public init() {}
    public var body: Never { fatalError("A primitive view has no body") }
}

public struct Button: View {
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
    public var body: Never { fatalError("A primitive view has no body") }
}

public struct List<Row: View>: View {
    public init<Element, ID: Hashable>(
        _ data: [Element],
        id: KeyPath<Element, ID>,
        @ViewBuilder rowContent: @escaping (Element) -> Row
    ) {}
    public var body: Never { fatalError("A primitive view has no body") }
}

public struct NavigationStack<Root: View>: View {
    public init<Element: Hashable>(path: Binding<[Element]>, @ViewBuilder root: () -> Root) {}
    public var body: Never { fatalError("A primitive view has no body") }
}

@dynamicMemberLookup @propertyWrapper public struct Bindable<Value: AnyObject & Observable> {
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding()
    }
}

public struct Binding<Value> {}

extension View {
    public func overlay<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }
    public func navigationTitle(_ title: String) -> some View { self }
    public func navigationDestination<Data: Hashable, Content: View>(
        for data: Data.Type,
        @ViewBuilder destination: @escaping (Data) -> Content
    ) -> some View { self }
    public func alert<Actions: View>(
        _ title: String,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> Actions
    ) -> some View { self }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
}

@MainActor open class UIHostingController<Content: View>: UIViewController {
    public init(rootView: Content) { super.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { nil }
}
