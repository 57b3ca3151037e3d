// The page of the articles "Write a page", "Test a page" and "Embed the service".
import Understudy

let couponPage = Page("coupon") { _ in CouponController(coupons: Coupons(), clock: SystemClock()) }
